package universal

import (
	"context"
	"io"
	"slices"
	"strings"

	"qhsh/engine"
	"qhsh/engine/xiangqi"
	"qhsh/pluginclient"
)

// Served is what stands behind a server.
type Served struct {
	Searcher engine.Searcher
	Name     string              // the engine's name
	Author   string              // may be empty
	Options  []Setter            // beyond those of the protocol
	Trace    *pluginclient.Trace // if not nil, told of every line
	Ready    func()              // if not nil, called before the host is told that its settings hold
	// LevelsOnly is set where the Searcher refuses limits on nodes and depth. A host's are
	// passed over then: the engine plays at its level instead of not at all.
	LevelsOnly bool
}

// Serve makes a Searcher an engine and holds one conversation as such: until "quit", the end
// of the input, or the end of the context, whose cause is then the error. A host that has
// gone away is no error. A read that is under way when Serve returns ends when the caller
// closes in.
//
// While the engine thinks, "stop", "ponderhit", "isready" and "quit" are obeyed at once;
// other commands wait for the end of the search. A position that makes no sense is answered
// with a remark, and the next "go" then with no move: nothing is ever played on another
// board than the host's. At "quit" and at the end of the input a search is told to move, so
// that a script's last question has its answer.
func Serve(ctx context.Context, in io.Reader, out io.Writer, p Dialect, s Served) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	h := &Host{
		Voice: NewVoice(out, s.Trace), served: s, protocol: p, ctx: ctx,
		lines: HostLines(in, ctx.Done()),
		pos:   xiangqi.Start(),
		list:  1,
	}
	h.options = append(h.standard(), s.Options...)
	engine.Forget(s.Searcher)
	for !h.over {
		h.step()
	}
	h.Hush()
	return context.Cause(ctx)
}

// A Host is the other end of a conversation, as a server sees it: what it has said and what
// holds for its next question.
type Host struct {
	*Voice
	served   Served
	protocol Dialect
	ctx      context.Context
	lines    <-chan string
	waiting  []string // commands that wait for the end of a search
	ended    bool     // the input
	over     bool     // the conversation
	options  []Setter

	pos   *xiangqi.Position // nil: what the host has said makes no sense
	ban   []engine.Move
	list  int // lines that are told
	level int

	Seconds bool // the host's times are seconds
	Batch   bool // commands never overtake a search

	asking *asking // the search under way; nil: none
}

// step waits for something to happen and deals with it.
func (h *Host) step() {
	if h.asking == nil && len(h.waiting) > 0 {
		line := h.waiting[0]
		h.waiting = h.waiting[1:]
		h.handle(line)
		return
	}
	if h.asking == nil && h.ended {
		h.over = true
		return
	}
	lines := h.lines
	if h.ended || h.asking != nil && h.Batch {
		lines = nil
	}
	select {
	case line, ok := <-lines:
		h.hear(line, ok)
	case <-h.finished():
		h.answer()
	case <-h.ctx.Done():
		h.over = true
	}
}

// finished is closed when the search under way ends.
func (h *Host) finished() <-chan struct{} {
	if h.asking == nil {
		return nil
	}
	return h.asking.Done
}

// hear takes in a line, or the end of the input.
func (h *Host) hear(line string, ok bool) {
	switch {
	case !ok:
		h.ended = true
		if h.asking != nil {
			h.hurry()
		}
	case h.asking != nil && !h.overtakes(line):
		if h.waiting = append(h.waiting, line); len(h.waiting) > MaxQueued {
			h.waiting = h.waiting[1:]
			h.Remark("too many commands wait for the end of the search; one was dropped")
		}
	default:
		h.handle(line)
	}
}

// overtakes tells whether a command is obeyed while the engine thinks.
func (h *Host) overtakes(line string) bool {
	switch word, _ := cutWord(line); word {
	case "stop", "quit", "ponderhit":
		return true
	case "isready":
		return h.asking.Perft == 0 // its output has no other end
	case "":
		return true
	}
	return false
}

// hurry makes the search under way answer now.
func (h *Host) hurry() {
	if h.asking.Hurry(h.ctx) {
		h.answer()
	}
	h.asking = nil
	h.over = true
}

// Remark tells the host something that it need not understand.
func (h *Host) Remark(text string) {
	h.Say("info " + h.protocol.RemarkWord() + " " + strings.Join(strings.Fields(text), " "))
}

// Position is the host's position; nil if what it has said makes no sense.
func (h *Host) Position() *xiangqi.Position { return h.pos }

// SetBan sets the moves that must not be played, up to the next position.
func (h *Host) SetBan(moves []engine.Move) { h.ban = slices.Clone(moves) }

// Forget begins a new game.
func (h *Host) Forget() { engine.Forget(h.served.Searcher) }

// Ban are the moves that SetBan has set.
func (h *Host) Ban() []engine.Move { return h.ban }
