package qhplugin

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"qhsh/engine"
	"qhsh/engine/xiangqi"
	"qhsh/pluginclient"
	"qhsh/pluginclient/serving"
)

// maxLine is the maximum length of a command line in bytes. A longer line is answered with ERROR.
const maxLine = 64 << 10

// maxQueued is how many lines are read ahead.
const maxQueued = 1 << 10

// defaultHints is the number of hints of a HINTS without a count.
const defaultHints = 3

// A Server makes a Searcher of Xiangqi a QHPLUGIN plugin. It may serve one
// conversation at a time.
type Server struct {
	Searcher engine.Searcher
	Name     string              // the engine's name in the info block; short
	Text     []string            // further lines of the info block
	Hints    int                 // how many hints HINTS gives; 0: 3
	Level    int                 // the level at the start; 0: DefaultLevel if there is such a level, else the first
	Trace    *pluginclient.Trace // if not nil, gets every line

	// Watch, if not nil, is called with every list that a search yields, including background
	// searches. It must be quick.
	Watch func(pos engine.Position, lines []engine.Line)
}

// Info returns the info block.
func (s *Server) Info() Info {
	return Info{
		Info: pluginclient.Info{
			Protocol: Protocol,
			Name:     s.Name,
			Levels:   engine.WithLevels(s.Searcher).Levels(),
			Text:     append([]string{countedHints}, s.Text...),
		},
		Undo: true, Hints: true, Rules: true, BGThink: true, Timeout: true,
	}
}

// Serve reads commands from in and writes replies to out until QUIT or the end of the input, or until
// ctx ends; it then returns its cause. A host that has gone away is not an error. A read in progress
// when Serve returns ends when the caller closes in.
func (s *Server) Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	c := &serverConn{
		server:   s,
		ctx:      ctx,
		searcher: engine.WithLevels(s.Searcher),
		lines:    serving.ReadLines(in, ctx.Done(), serving.ReaderOptions{MaxLine: maxLine, ReadAhead: maxQueued}),
		out:      serving.NewLineWriter(out, s.Trace),
		level:    engine.StartLevel(engine.WithLevels(s.Searcher).Levels(), s.Level),
		game:     []*xiangqi.Position{xiangqi.Start()},
	}
	defer c.dropPonder()
	engine.Forget(s.Searcher)
	for {
		line, ok := c.lines.Next(ctx.Done())
		if !ok {
			return context.Cause(ctx)
		}
		if c.handle(line); c.done {
			return context.Cause(ctx)
		}
	}
}

// serverConn is the state of one conversation: the game, the level and the settings for the next
// search.
type serverConn struct {
	server   *Server
	ctx      context.Context
	searcher interface {
		engine.Searcher
		engine.Leveler
	}
	lines *serving.Lines
	out   *serving.LineWriter
	done  bool // after BYE, or when the host has gone

	level     int
	game      []*xiangqi.Position // from the last FEN on; the last one is current
	ban       []engine.Move
	bgthink   bool
	ponder    *serving.Search // the running background search, or nil
	expected  engine.Move     // the expected reply; NoMove after it was played
	last      *serving.Search // the latest search, which may still be ending
	skipMoves bool            // a count was rejected, so lines with a move are not commands
}

func (c *serverConn) board() *xiangqi.Position { return c.game[len(c.game)-1] }

// handle executes one command line. Blank lines are ignored.
func (c *serverConn) handle(line string) {
	cmd, ok := ParseCommand(line)
	if !ok {
		return
	}
	c.out.TraceInput(line)
	if c.skipMoves && isMove(line) {
		return
	}
	c.skipMoves = false
	c.updatePonder(cmd)
	var err error
	switch cmd.Word {
	case Abort, Timeout: // idle: no answer
		return
	case Quit:
		c.write(string(Bye))
		c.done = true
		return
	case AI, Hints:
		c.think(cmd)
		return
	case Scr:
		c.write(strings.Split(strings.TrimRight(c.board().Diagram(), "\n"), "\n")...)
		return
	case Level:
		if cmd.Arg == "" {
			c.write(strconv.Itoa(c.level))
			return
		}
		err = c.setLevel(cmd.Arg)
	case FEN:
		err = c.setBoard(cmd.Arg)
	case Play:
		game, bad := playAll(c.game, []string{cmd.Arg})
		if bad == nil {
			c.game = game
		} else {
			err = bad.reason
		}
	case Load, Ban:
		err = c.readList(cmd)
	case Undo:
		switch {
		case cmd.Arg != "":
			err = errors.New("UNDO takes back one move and no argument")
		case len(c.game) == 1:
			err = errors.New("there is no move to take back")
		default:
			c.game = c.game[:len(c.game)-1]
		}
	case BGThink:
		if on := strings.EqualFold(cmd.Arg, "ON"); on || strings.EqualFold(cmd.Arg, "OFF") {
			c.bgthink = on
		} else {
			err = errors.New("BGTHINK wants ON or OFF")
		}
	default:
		if err = errors.New("unknown command"); line == serving.OverlongLine {
			err = fmt.Errorf("the line is longer than %d bytes", maxLine)
		}
	}
	if !c.done {
		c.reply(err)
	}
}

func (c *serverConn) write(lines ...string) {
	c.out.WriteLines(lines...)
	c.done = c.done || c.out.Closed()
}

func (c *serverConn) reply(err error) {
	if err != nil {
		c.write(strings.TrimRight(string(Error)+" "+errorText(err), " "))
		return
	}
	c.write(string(OK))
}

func (c *serverConn) setLevel(arg string) error {
	n, err := strconv.Atoi(arg)
	if err != nil {
		return fmt.Errorf("the level has to be a number")
	}
	levels := c.searcher.Levels()
	switch {
	case engine.CheckLevel(levels, n) == nil:
		c.level = n
		return nil
	case len(levels) == 0:
		return fmt.Errorf("there is no such level; there are none")
	}
	return fmt.Errorf("there is no such level; they go from %d to %d", levels[0].ID, levels[len(levels)-1].ID)
}

// setBoard starts a new game. It clears the Searcher's memory, so that answers depend only on the
// game.
func (c *serverConn) setBoard(arg string) error {
	if arg == "" {
		return errors.New("FEN wants a board")
	}
	pos, err := xiangqi.ParseFEN(arg)
	if err != nil {
		return err
	}
	if remark := pos.Remark(); remark != "" && c.server.Trace != nil {
		c.server.Trace.Notef("%s", remark) // replies have no room for it
	}
	c.game = []*xiangqi.Position{pos}
	c.ban = nil
	if c.last != nil {
		c.abandon(c.last)
	}
	engine.Forget(c.server.Searcher)
	return nil
}

// readList executes LOAD and BAN with the lines that follow. The moves of BAN need not be legal.
func (c *serverConn) readList(cmd Command) error {
	n, err := cmd.Count()
	if err != nil {
		c.skipMoves = true
		return err
	}
	lines := make([]string, 0, n)
	for len(lines) < n {
		line, ok := c.lines.Next(c.ctx.Done())
		if !ok {
			c.done = true
			return nil
		}
		if _, ok := ParseCommand(line); ok {
			c.out.TraceInput(line)
			lines = append(lines, strings.TrimSpace(line))
		}
	}
	if cmd.Word == Load {
		game, bad := playAll(c.game, lines)
		if bad != nil {
			return bad
		}
		c.game = game
		return nil
	}
	ban := make([]engine.Move, 0, n)
	for i, line := range lines {
		m, err := xiangqi.ParseMove(line)
		if err != nil {
			return &lineError{i + 1, errNoMove}
		}
		ban = append(ban, engine.Move(m))
	}
	c.ban = ban
	return nil
}

var errNoMove = errors.New("not a move, which is two points, each a letter from A to I and a digit")

// lineError is an error in the kth line of a list.
type lineError struct {
	k      int
	reason error
}

func (e *lineError) Error() string { return fmt.Sprintf("line %d: %v", e.k, e.reason) }

// playAll returns a game extended by moves. It does not change game.
func playAll(game []*xiangqi.Position, moves []string) ([]*xiangqi.Position, *lineError) {
	longer := append(make([]*xiangqi.Position, 0, len(game)+len(moves)), game...)
	for i, text := range moves {
		pos := longer[len(longer)-1]
		m, err := pos.Parse(strings.TrimSpace(text))
		var illegal *xiangqi.MoveError
		switch { // the reason, without the move itself
		case errors.Is(err, xiangqi.ErrMalformed):
			return nil, &lineError{i + 1, errNoMove}
		case errors.As(err, &illegal):
			return nil, &lineError{i + 1, errors.New(illegal.Reason)}
		case err != nil:
			return nil, &lineError{i + 1, err}
		}
		next, err := pos.PlayMove(xiangqi.Move(m))
		if err != nil {
			return nil, &lineError{i + 1, err}
		}
		longer = append(longer, next)
	}
	return longer, nil
}
