package qtp

import (
	"bufio"
	"context"
	"errors"
	"io"
	"strings"
	"time"

	"qhsh/engine"
	"qhsh/engine/quoridor"
	"qhsh/pluginclient"
	"qhsh/pluginclient/serving"
)

// DefaultTime is how long an engine thinks about a move, since the protocol has no way to
// say it.
const DefaultTime = time.Second

// maxLine is how much is kept of a line, in bytes. No command needs as much.
const maxLine = 64 << 10

// cut stands for what was not kept of a line. No command and nothing that follows one has it,
// so the line fails, as it has to.
const cut = "\ufffd"

// maxAhead is how many lines are read ahead of what has been answered. An end of the input that
// lies behind more of them is not known yet.
const maxAhead = 1 << 13

// Once the input has ended, thinking goes on for endGrace at most, in which a script's genmove
// can end as it would have. Then it is told to move, and given up a serving.Grace later.
const endGrace = DefaultTime

// A Server makes a Searcher of Quoridor an engine. It may serve one conversation at a time.
type Server struct {
	Searcher engine.Searcher
	Name     string
	Rules    quoridor.Rules       // of the board at the start; zero: quoridor.Default
	Limits   func() engine.Limits // of the next genmove; nil: DefaultTime
	Trace    *pluginclient.Trace  // if not nil, told of every line
	Warn     func(string)         // told where the Searcher has failed; may be nil

	// Watch, if not nil, is told of every list that a search yields. It has to be quick.
	Watch func(pos engine.Position, lines []engine.Line)
}

// Serve reads commands from in and writes responses to out until quit, the end of the
// input, or the end of the context, whose cause is then the error. A controller that has gone
// away is no error. A read that is under way when Serve returns ends when the caller closes
// in.
//
// The board at the start is that of a new game. Commands are carried out one by one. When the
// input has ended, all that is still to be thought about takes a second at most.
func (s *Server) Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	rules := s.Rules
	if rules == (quoridor.Rules{}) {
		rules = quoridor.Default
	}
	thinking, moveNow := context.WithCancelCause(ctx)
	defer moveNow(nil)
	gone := make(chan struct{})
	c := &conversation{server: s, ctx: ctx, thinking: thinking, gone: gone, out: serving.NewLineWriter(out, s.Trace), game: newGame(rules)}
	c.out.End = "\n"
	lines := serving.ReadLines(in, ctx.Done(), serving.Input{MaxLine: maxLine, Ahead: maxAhead, Read: readLine})
	go func() {
		select {
		case <-lines.Ended():
		case <-ctx.Done():
		}
		if wait(ctx, endGrace) {
			moveNow(engine.ErrMoveNow)
		}
		if wait(ctx, serving.Grace) {
			close(gone)
		}
	}()
	engine.Forget(s.Searcher)
	for !c.over {
		line, ok := lines.Next(ctx.Done())
		if !ok {
			break
		}
		c.hear(line)
	}
	return context.Cause(ctx)
}

// wait waits, and reports whether ctx has not ended meanwhile.
func wait(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// conversation is the state of one conversation.
type conversation struct {
	server   *Server
	ctx      context.Context
	thinking context.Context // of searches: ctx, which is told to move after the end of the input
	gone     <-chan struct{} // closed when searches are given up
	out      *serving.LineWriter
	game     *game
	over     bool // quit, or the controller has gone
}

// hear carries out a line and answers it, unless there is nothing on it.
func (c *conversation) hear(line string) {
	c.out.Hear(line)
	words := fields(forEngine(line))
	if len(words) == 0 {
		return
	}
	reply := c.carryOut(words[0], words[1:])
	if c.ctx.Err() != nil || c.over {
		return
	}
	c.say(reply)
	if words[0] == Quit && !reply.Failed {
		c.over = true
	}
}

func (c *conversation) say(r Reply) {
	c.out.Say(r.lines()...)
	c.over = c.over || c.out.Hushed()
}

// readLine reads one line. One that is too long is squeezed, and if need be cut.
func readLine(r *bufio.Reader) (string, error) {
	part, err := r.ReadSlice('\n')
	text := string(part)
	for errors.Is(err, bufio.ErrBufferFull) {
		part, err = r.ReadSlice('\n')
		if !strings.Contains(text, "#") && len(text) <= maxLine {
			text = squeeze(text + string(part))
		}
	}
	if len(text) > maxLine {
		text = text[:maxLine] + cut
	}
	return text, err
}
