package qtp

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"qhsh/engine"
	"qhsh/engine/quoridor"
	"qhsh/pluginclient"
	"qhsh/pluginclient/serving"
)

// DefaultTime is how long an engine thinks about a move by default, since the protocol has no time
// limits.
const DefaultTime = time.Second

// maxLine is how many bytes of a line are kept. No command needs that many.
const maxLine = 64 << 10

// truncated replaces the part of a line that was not kept. It is not valid in any command, so the
// line fails, as it must.
const truncated = "\ufffd"

// readAhead is how many lines are read before they are executed. An end of the input behind more
// lines is noticed later.
const readAhead = 1 << 13

// endGrace is how long searches continue after the end of the input, so that a genmove of a script
// ends as usual. Then every search must move at once, and the conversation ends with a search that
// does not within serving.Grace.
const endGrace = DefaultTime

// A Server makes a Searcher of Quoridor an engine. It may serve one conversation at a time.
type Server struct {
	Searcher engine.Searcher
	Name     string
	Rules    quoridor.Rules       // of the board at the start; zero: quoridor.Default
	Limits   func() engine.Limits // of the next genmove; nil: DefaultTime
	Trace    *pluginclient.Trace  // if not nil, gets every line
	Warn     func(string)         // called when the Searcher has failed; may be nil

	// Watch, if not nil, is called with every list that a search yields. It must be quick.
	Watch func(pos engine.Position, lines []engine.Line)
}

// Serve reads commands from in and writes responses to out until quit or the end of the input, or until
// ctx ends; it then returns its cause. A controller that has gone away is not an error. A read in
// progress when Serve returns ends when the caller closes in.
//
// Serve starts with a new game and executes commands one by one. One second after the end of the input,
// all remaining searches must move at once.
func (s *Server) Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	rules := s.Rules
	if rules == (quoridor.Rules{}) {
		rules = quoridor.Default
	}
	thinking, moveNow := context.WithCancelCause(ctx)
	defer moveNow(nil)
	c := &serverConn{server: s, ctx: ctx, searchCtx: thinking, out: serving.NewLineWriter(out, s.Trace), game: newGame(rules)}
	c.out.Suffix = "\n"
	lines := serving.ReadLines(in, ctx.Done(), serving.ReaderOptions{MaxLine: maxLine, ReadAhead: readAhead, Read: readLine})
	go func() {
		select {
		case <-lines.Ended():
		case <-ctx.Done():
		}
		select {
		case <-time.After(endGrace):
			moveNow(engine.ErrMoveNow)
		case <-ctx.Done():
		}
	}()
	engine.Forget(s.Searcher)
	for !c.done && ctx.Err() == nil {
		line, ok := lines.Next(ctx.Done())
		if !ok {
			break
		}
		c.out.TraceInput(line)
		words := fields(cleanCommand(line))
		if len(words) == 0 { // it has no response
			continue
		}
		if r := c.execute(words[0], words[1:]); ctx.Err() == nil {
			c.out.WriteLines(r.lines()...)
			c.done = c.done || c.out.Closed() || words[0] == Quit && !r.failed
		}
	}
	return context.Cause(ctx)
}

// serverConn is the state of one conversation.
type serverConn struct {
	server    *Server
	ctx       context.Context
	searchCtx context.Context // of searches: derived from ctx, ends with ErrMoveNow after the end of the input
	out       *serving.LineWriter
	game      *game
	done      bool // after quit, or when the controller has gone
}

func result(lines ...string) reply { return reply{text: lines} }
func failure(message string) reply { return reply{failed: true, text: []string{message}} }

// execute executes a command. Command words are case-sensitive, arguments are not.
func (c *serverConn) execute(word string, args []string) reply {
	command, known := Find(word)
	switch {
	case !known:
		return failure(unknownCommand)
	case command.takes(len(args)) != nil:
		return failure(invalidSyntax)
	}
	board := c.game.board()
	switch word {
	case Name:
		return result(c.server.Name)
	case KnownCommand:
		known := false // without an argument, too: it never fails
		if len(args) > 0 {
			_, known = Find(args[0])
		}
		return result(strconv.FormatBool(known))
	case ListCommands:
		words := []string{""}
		for _, command := range commands {
			words = append(words, command.Word)
		}
		return result(words...)
	case Quit:
		return result("")
	case GenMove:
		return c.genMove(args[0])
	case Winner:
		if side, over := board.Winner(); over {
			return result("true " + quoridor.ColourName(side))
		}
		return result("false")
	case ShowBoard:
		return result(strings.Split("\n"+strings.TrimRight(board.Diagram(), "\n"), "\n")...)
	}
	_, err := c.game.execute(word, args)
	if refused, ok := errors.AsType[commandError](err); ok {
		return failure(refused.message)
	}
	return result("")
}

// genMove plays a move for a colour, even if that colour has moved last or the game is won. It
// fails if there is no move at all, or none by a program: cases that the protocol does not cover.
func (c *serverConn) genMove(colour string) reply {
	side, err := quoridor.ParseColour(colour)
	if err != nil {
		return failure(invalidSyntax)
	}
	board := c.game.board()
	board.SetTurn(side)
	moves := board.AppendWalls(board.AppendSteps(nil, side), side)
	if len(moves) == 0 {
		return failure(noLegalMove)
	}
	a, err := c.search(quoridor.NewPosition(board))
	switch {
	case c.ctx.Err() != nil:
		return reply{}
	case err == nil && !slices.Contains(moves, a):
		err = fmt.Errorf("illegal move %v", a)
	}
	if _, foreign := engine.As[serving.Foreign](c.server.Searcher); foreign && err != nil {
		return failure("the search failed: " + serving.OneLine(err.Error()))
	}
	if err != nil {
		if c.server.Warn != nil && !errors.Is(err, engine.ErrNoMove) {
			c.server.Warn(fmt.Sprintf("genmove: %v; a step towards the goal was played instead", err))
		}
		a = quoridor.FastestMove(board, moves) // instead of the engine's move
	}
	c.game.do(a)
	return result(formatGenMove(a))
}

// search runs the Searcher. If the input has ended and the Searcher does not end in time, it is
// abandoned, and so is the rest of the input.
func (c *serverConn) search(pos *quoridor.Position) (quoridor.Action, error) {
	q := serving.Request{Searcher: c.server.Searcher, Pos: pos, Limits: engine.Limits{Time: DefaultTime}}
	if c.server.Limits != nil {
		q.Limits = c.server.Limits()
	}
	q.Limits.Play = true
	if watch := c.server.Watch; watch != nil {
		q.OnLines = func(_ *serving.Search, lines []engine.Line) { watch(pos, lines) }
	}
	s := serving.StartSearch(c.searchCtx, q)
	select {
	case <-s.Done():
	case <-c.searchCtx.Done():
		c.done = !s.FinishNow()
	}
	best, err := s.Best()
	if err != nil {
		return 0, err
	}
	return quoridor.Action(best.Move()), nil
}

// readLine reads one line. An overlong line is collapsed, and truncated if necessary.
func readLine(r *bufio.Reader) (string, error) {
	part, err := r.ReadSlice('\n')
	text := string(part)
	for errors.Is(err, bufio.ErrBufferFull) {
		part, err = r.ReadSlice('\n')
		if !strings.Contains(text, "#") && len(text) <= maxLine {
			text = collapse(text + string(part))
		}
	}
	if len(text) > maxLine {
		text = text[:maxLine] + truncated
	}
	return text, err
}
