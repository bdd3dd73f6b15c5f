package xboard

import (
	"context"
	"io"

	"qhsh/engine"
	"qhsh/engine/xiangqi"
	"qhsh/pluginclient"
	"qhsh/pluginclient/protocol/ucifamily"
	"qhsh/pluginclient/serving"
)

// Serve makes a Searcher an engine and holds one conversation as such: until "quit", the end
// of the input, or the end of the context, whose cause is then the error. A host that has gone
// away is no error. A read that is under way when Serve returns ends when the caller closes in.
//
// While the engine thinks about its move, "?", "force", "new", "result" and what only changes a
// setting are obeyed at once; a ping, moves and everything else wait for the move, and what stands
// behind a command that may make the engine think waits for that: the order of lines decides
// which search is meant, not the time at which they come.
// At "quit" and at the end of the input it is told to move, and what waits for that is answered
// before the conversation ends, so that a script's last question has its answer. From then on
// every move is made at once.
func Serve(ctx context.Context, in io.Reader, out io.Writer, s ucifamily.Served) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	if _, ok := s.Searcher.(engine.Leveler); !ok {
		s.Searcher = engine.Leveled(s.Searcher)
	}
	h := &host{
		LineWriter: serving.NewLineWriter(out, s.Trace), served: s, ctx: ctx,
		lines: serving.ReadLines(in, ctx.Done(), ucifamily.Input),
		list:  1,
	}
	h.options = append([]ucifamily.Setter{ucifamily.ListSetter("MultiPV", func(n int) { h.list = n })},
		s.LevelSetter(func(id int) { h.level = id })...)
	h.options = append(h.options, s.Options...)
	h.newGame()
	for !h.over {
		h.step()
	}
	h.Hush()
	return context.Cause(ctx)
}

// InProcess is a server of this process as an engine.
func InProcess(s ucifamily.Served) ucifamily.Program {
	return ucifamily.Program{Name: s.Name, Start: pluginclient.Pipe(func(ctx context.Context, in io.Reader, out io.Writer) error {
		return Serve(ctx, in, out, s)
	})}
}

// A host is the other end of a conversation, as the server sees it: the game that it has told,
// and what holds for the next move.
type host struct {
	*serving.LineWriter
	served  ucifamily.Served
	ctx     context.Context
	lines   *serving.Lines
	waiting serving.Backlog
	ended   bool // the input, or the host has said "quit"
	over    bool // the conversation
	options []ucifamily.Setter

	pos      *xiangqi.Position // nil: the host has set up what makes no sense
	excluded []engine.Move
	playing  bool // not in force mode
	side     xiangqi.Side
	claimed  bool // the result of the game has been told

	list     int // lines that are told
	level    int
	quiet    bool // after "nopost"
	ponders  bool // after "hard"
	computer bool // the opponent is one
	offered  bool // the host's side offers a draw
	analyzes bool
	limit    limits
	expected engine.Move // the reply to the engine's latest move
	task     *task       // what the engine thinks about; nil: nothing
}

// step waits for something to happen and deals with it.
func (h *host) step() {
	if line, ok := h.next(); ok {
		h.handle(line)
		return
	}
	switch {
	case h.ended && h.busy():
		h.hurry()
		return
	case h.ended:
		h.drop()
		h.over = true
		return
	}
	select {
	case <-h.lines.News():
		h.hear()
	case <-h.finished():
		h.finish()
	case <-h.ctx.Done():
		h.over = true
	}
}

// busy tells whether the host waits for something.
func (h *host) busy() bool { return h.task != nil && h.task.kind <= hinting }

// finished is closed when the search under way ends.
func (h *host) finished() <-chan struct{} {
	if h.task == nil {
		return nil
	}
	return h.task.Done()
}

// hear takes in a line, or the end of the input.
func (h *host) hear() {
	line, ok, ended := h.lines.Take()
	if !ok {
		h.ended = ended
		return
	}
	word, _ := cutWord(line)
	h.ended = word == "quit"
	if h.waiting.Add(line) {
		h.Say("# too many commands wait for the move; one was dropped")
	}
}

// next takes the next command that can be carried out. While the engine thinks, only what
// stands before the next command that may make it think can be about this search.
func (h *host) next() (line string, ok bool) {
	return h.waiting.Take(func(line string, behind bool) bool {
		word, _ := cutWord(line)
		return !h.busy() || !behind && overtaking[word]
	}, thinks)
}

// thinks reports whether a command may make the engine think.
func thinks(line string) bool {
	word, rest := cutWord(line)
	switch word {
	case "go", "playother", "analyze":
		return true
	case "usermove":
		word, _ = cutWord(rest)
	}
	return ucifamily.IsMove(word)
}

// overtaking are the commands that are obeyed while the engine thinks about its move.
var overtaking = map[string]bool{
	"?": true, "force": true, "new": true, "result": true, "draw": true, ".": true,
	"easy": true, "hard": true, "post": true, "nopost": true, "computer": true, "": true,
}

// hurry makes the engine move now. If it does not, nothing more is asked of it.
func (h *host) hurry() {
	if h.task.Hurry() {
		h.ponders = false
		h.finish()
		return
	}
	h.task, h.over = nil, true
}
