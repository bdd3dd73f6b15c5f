package qchess

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"qhsh/engine"
	"qhsh/engine/qchess"
	"qhsh/pluginclient"
	"qhsh/pluginclient/serving"
)

// DefaultTime is how long an agent thinks by default, since the protocol has no time limits.
const DefaultTime = 500 * time.Millisecond

// maxLine is how many bytes of a line are kept, and readAhead how many lines are read before they
// are executed.
const (
	maxLine   = 1 << 12
	readAhead = 1 << 10
)

// endGrace is how long an agent continues to think after QUIT or the end of its input. It must exit
// within two seconds.
const endGrace = time.Second

// A Server makes a Searcher of quantum chess an agent. It may serve one conversation at a time.
type Server struct {
	Searcher engine.Searcher
	Name     string
	Limits   func() engine.Limits // of the next answer; nil: DefaultTime
	Trace    *pluginclient.Trace  // if not nil, gets every line
	Warn     func(string)         // called for invalid lines; may be nil
}

// Serve reads lines from in and writes answers to out until QUIT or the end of the input, or until
// ctx ends; it then returns its cause. A server that has gone away is not an error.
//
// Only SELECTION? and MOVE? are answered. Invalid lines are passed to Warn and ignored. The protocol has
// no answer without a move: if a program behind the Searcher gives none, Serve returns its error.
func (s *Server) Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	a := &agent{server: s, ctx: ctx, out: serving.NewLineWriter(out, s.Trace), board: qchess.NewBoard()}
	a.lines = serving.ReadLines(in, ctx.Done(), serving.ReaderOptions{MaxLine: maxLine, ReadAhead: readAhead})
	engine.Forget(s.Searcher)
	for !a.done && !a.out.Closed() {
		line, ok := a.lines.Next(ctx.Done())
		if !ok {
			break
		}
		a.out.TraceInput(line)
		a.handleLine(strings.TrimSpace(line))
	}
	return cmp.Or(context.Cause(ctx), a.failure)
}

// agent is the state of one conversation.
type agent struct {
	server  *Server
	ctx     context.Context
	out     *serving.LineWriter
	lines   *serving.Lines
	board   qchess.Board
	hasSide bool
	side    engine.Turn
	done    bool
	failure error // why a Foreign has given no move
}

func (a *agent) handleLine(line string) {
	word, _, _ := strings.Cut(line, " ")
	side, err := qchess.ParseColour(line)
	switch {
	case word == Quit:
		a.done = true
	case line == "":
	case err == nil && !a.hasSide:
		a.hasSide, a.side = true, side
	case !a.hasSide:
		a.warn(fmt.Errorf("want white or black"), line)
	case line == Selection:
		a.answer(false)
	case line == Move:
		a.answer(true)
	case line == Board:
		a.readBoard()
	default:
		a.update(line)
	}
}

// update applies an update. If the rules forbid it, the server's word counts.
func (a *agent) update(line string) {
	u, err := qchess.ParseUpdate(line)
	if err != nil {
		a.warn(err, line)
		return
	}
	if _, selected := a.board.Selected(); !selected {
		if _, side, ok := a.board.PieceAt(u.From); ok && side != a.board.Turn() {
			a.board.SetTurn(side)
		}
	}
	next := a.board
	if _, err := next.Apply(u); err != nil {
		next = a.board
		next.Force(u)
		a.warn(err, line)
	}
	a.board = next
}

// readBoard reads the board of a resumed game.
func (a *agent) readBoard() {
	var pieces []string
	for {
		line, ok := a.lines.Next(a.ctx.Done())
		if !ok {
			return
		}
		a.out.TraceInput(line)
		if line = strings.TrimSpace(line); line == EndBoard {
			break
		}
		pieces = append(pieces, line)
	}
	board, err := qchess.ParseServerLines(pieces)
	if err != nil {
		a.warn(err, Board)
		return
	}
	a.board = board
}

// answer writes a square: of a piece, or where the selected piece goes.
func (a *agent) answer(move bool) {
	if _, selected := a.board.Selected(); selected != move || a.board.OutcomePending() || a.board.Turn() != a.side {
		if move {
			a.warn(errors.New("no piece is ready to move"), Move)
			return
		}
		a.board.SetTurn(a.side)
	}
	s, err := a.think()
	switch _, foreign := engine.As[serving.Foreign](a.server.Searcher); {
	case err == nil || a.ctx.Err() != nil:
	case foreign:
		a.failure, a.done = fmt.Errorf("the search failed: %w", err), true
		return
	default:
		a.warn(err, "think")
	}
	if s != 0 && a.ctx.Err() == nil {
		a.out.WriteLines(fmt.Sprintf("%d %d", s.Square().X(), s.Square().Y()))
	}
}

// think runs the Searcher. If it fails, think returns a legal step with the error, or 0 if there is
// none.
func (a *agent) think() (qchess.Step, error) {
	steps := a.board.AppendSteps(nil)
	if len(steps) == 0 {
		return 0, engine.ErrNoMove
	}
	request := serving.Request{Searcher: a.server.Searcher, Pos: qchess.NewPosition(a.board), Limits: engine.Limits{Time: DefaultTime}}
	if a.server.Limits != nil {
		request.Limits = a.server.Limits()
	}
	request.Limits.Play = true
	search := serving.StartSearch(a.ctx, request)
	a.wait(search)
	best, err := search.Best()
	if err != nil {
		return steps[0], err
	}
	return qchess.Step(best.Move()), nil
}

// wait waits for a search, which must end soon after the end of the game.
func (a *agent) wait(search *serving.Search) {
	for {
		select {
		case <-search.Done():
			return
		case <-a.lines.Ready():
		}
		switch line, ok, ended := a.lines.Peek(); {
		case ended, strings.HasPrefix(line, Quit):
			if !search.Wait(endGrace) {
				search.FinishNow()
			}
			return
		case ok:
			<-search.Done()
			return
		}
	}
}

func (a *agent) warn(err error, line string) {
	if a.server.Warn != nil {
		a.server.Warn(fmt.Sprintf("%q: %v", pluginclient.Excerpt(line), err))
	}
}
