package xboard

import (
	"context"
	"io"
	"slices"

	"qhsh/engine"
	"qhsh/pluginclient"
	"qhsh/pluginclient/protocol/uci"
	"qhsh/pluginclient/serving"
)

// Serve serves one conversation in which the Searcher is the engine. It returns at "quit" or the end of
// the input, or with the cause of ctx. A host that has gone away is not an error. A read in progress
// when Serve returns ends when the caller closes in.
//
// While the engine searches for its move or a hint, "?", "force", "new", "result" and commands that only
// change a setting are executed at once. Pings, moves and all other commands wait for the move, and
// commands after a waiting command that starts a search wait too, so that the order of lines, not their
// timing, decides which search is meant. At "quit" and at the end of the input the engine moves at once,
// and waiting commands are answered before Serve returns, so that a script gets all its answers.
func Serve(ctx context.Context, in io.Reader, out io.Writer, s uci.ServerConfig) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	if _, ok := engine.As[engine.Leveler](s.Searcher); !ok {
		s.Searcher = engine.WithLevels(s.Searcher)
	}
	c := &serverConn{
		LineWriter: serving.NewLineWriter(out, s.Trace), config: s, ctx: ctx,
		input: serving.Input{Lines: serving.ReadLines(in, ctx.Done(), uci.Input), Quits: func(line string) bool {
			word, _ := uci.CutWord(line)
			return word == "quit"
		}},
	}
	c.options = slices.Concat([]uci.Setter{uci.MultiPVSetter("MultiPV", &c.multiPV)}, s.LevelSetter(func(id int) { c.level = id }), s.Options)
	c.newGame()
	for !c.done {
		c.step()
	}
	c.Close()
	return context.Cause(ctx)
}

// InProcess returns a Program that runs a server in this process.
func InProcess(s uci.ServerConfig) pluginclient.Program {
	return pluginclient.Program{Name: s.Name, Start: pluginclient.Pipe(func(ctx context.Context, in io.Reader, out io.Writer) error {
		return Serve(ctx, in, out, s)
	})}
}

// A serverConn is the state of one conversation: the game, and the settings for the next move.
type serverConn struct {
	*serving.LineWriter
	config  uci.ServerConfig
	ctx     context.Context
	input   serving.Input
	done    bool // the conversation is over
	options []uci.Setter

	game
	excluded   []engine.Move
	resultSent bool // the result of the game has been sent

	multiPV     int // the number of lines
	level       int
	quiet       bool // after "nopost"
	ponderOn    bool // after "hard"
	vsComputer  bool // the opponent is a computer
	drawOffered bool // the host has offered a draw
	analyzeMode bool
	limits      limits
	expected    engine.Move // the reply to the engine's latest move
	task        *task       // the running search, or nil
}

// step executes the next command, or waits for input or the end of the search. During a search, only
// commands before the next one that may start a search can refer to it.
func (c *serverConn) step() {
	line, ok := c.input.Take(func(line string, behind bool) bool {
		word, _ := uci.CutWord(line)
		return !c.busy() || !behind && immediate[word]
	}, startsSearch)
	var search *serving.Search
	switch {
	case ok:
		c.handle(line)
		return
	case c.input.Ended() && c.busy():
		c.done = !c.task.FinishNow()
		c.ponderOn = false
		c.finish()
		return
	case c.input.Ended():
		c.abandon()
		c.done = true
		return
	case c.task != nil:
		search = c.task.Search
	}
	if c.input.Await(c.ctx, search) {
		c.finish()
	} else {
		c.done = c.ctx.Err() != nil
	}
}

// busy reports whether the host waits for the result of a search.
func (c *serverConn) busy() bool { return c.task != nil && c.task.kind <= hinting }

func startsSearch(line string) bool {
	word, rest := uci.CutWord(line)
	switch word {
	case "go", "playother", "analyze":
		return true
	case "usermove":
		word, _ = uci.CutWord(rest)
	}
	return uci.IsMove(word)
}

// immediate are the commands that are executed during a search for the engine's move.
var immediate = map[string]bool{
	"?": true, "force": true, "new": true, "result": true, "draw": true, ".": true,
	"easy": true, "hard": true, "post": true, "nopost": true, "computer": true, "": true,
}
