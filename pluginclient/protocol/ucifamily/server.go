package ucifamily

import (
	"context"
	"io"
	"slices"
	"strings"

	"qhsh/engine"
	"qhsh/engine/xiangqi"
	"qhsh/pluginclient"
	"qhsh/pluginclient/serving"
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

// Ask begins a search by the Searcher.
func (s Served) Ask(ctx context.Context, q serving.Question) *serving.Search {
	q.Searcher = s.Searcher
	if s.LevelsOnly {
		q.Limits.Nodes, q.Limits.Depth = 0, 0
	}
	return serving.Begin(ctx, q)
}

// Input is how servers of the family read: a line is a game of twenty thousand moves at most.
var Input = serving.Input{MaxLine: 128 << 10, Ahead: serving.MaxBacklog}

// Serve makes a Searcher an engine and holds one conversation as such: until "quit", the end
// of the input, or the end of the context, whose cause is then the error. A host that has
// gone away is no error. A read that is under way when Serve returns ends when the caller
// closes in.
//
// While the engine thinks, "stop", "ponderhit" and "isready" are obeyed at once; other commands
// wait for the end of the search, and what stands behind a "go" waits for that: the order of
// lines decides which search is stopped, not the time at which they come. A search that only
// "stop" or "ponderhit" can end is stopped by the next "go". A position that makes no sense is
// answered with a remark, and the next "go" then with no move: nothing is ever played on another
// board than the host's. At "quit" and at the end of the input the search under way and those
// that wait are told to move at once, so that a script's last question has its answer.
func Serve(ctx context.Context, in io.Reader, out io.Writer, d Dialect, s Served) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	h := &Host{
		LineWriter: serving.NewLineWriter(out, s.Trace), served: s, dialect: d, ctx: ctx,
		lines: serving.ReadLines(in, ctx.Done(), Input),
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
	*serving.LineWriter
	served  Served
	dialect Dialect
	ctx     context.Context
	lines   *serving.Lines
	waiting serving.Backlog
	ended   bool // the input, or the host has said "quit"
	over    bool // the conversation
	options []Setter

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
	if line, ok := h.next(); ok {
		h.handle(line)
		return
	}
	switch {
	case h.asking == nil && h.ended:
		h.over = true
		return
	case h.asking != nil && h.ended && !h.Batch:
		h.hurry()
		return
	case h.blocked():
		h.asking.MoveNow()
	}
	news := h.lines.News()
	if h.ended || h.Batch && h.waiting.Full() {
		news = nil
	}
	select {
	case <-news:
		h.hear()
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
	return h.asking.Done()
}

// hear takes in a line, or the end of the input.
func (h *Host) hear() {
	line, ok, ended := h.lines.Take()
	if !ok {
		h.ended = ended
		return
	}
	h.ended = isWord(line, quitWord)
	if h.waiting.Add(line) {
		h.Remark("too many commands wait for the end of the search; one was dropped")
	}
}

// next takes the next command that can be carried out.
func (h *Host) next() (line string, ok bool) {
	return h.waiting.Take(
		func(line string, behindGo bool) bool {
			return h.asking == nil || !h.Batch && h.overtakes(line, behindGo)
		},
		func(line string) bool { return isWord(line, goWord) },
	)
}

// overtakes reports whether a command is obeyed while the engine thinks.
func (h *Host) overtakes(line string, behindGo bool) bool {
	switch word, _ := cutWord(line); word {
	case stopWord, "ponderhit", "":
		return !behindGo
	case "isready":
		return h.asking.Perft == 0 // its output has no other end
	}
	return false
}

// blocked reports whether commands wait for a search that nothing else will end.
func (h *Host) blocked() bool {
	if h.asking == nil || !h.asking.endless() {
		return false
	}
	return h.ended || h.waiting.Full() || slices.ContainsFunc(h.waiting, func(line string) bool {
		return isWord(line, goWord) || h.Batch && isWord(line, stopWord)
	})
}

// Words whose place in the input matters.
const (
	goWord   = "go"
	stopWord = "stop"
	quitWord = "quit"
)

func isWord(line, word string) bool {
	first, _ := cutWord(line)
	return first == word
}

// hurry makes the search under way answer now. One that does not is given up, and so is all
// that waits but "quit".
func (h *Host) hurry() {
	if h.asking.Hurry() {
		h.answer()
		return
	}
	h.asking, h.over = nil, h.ctx.Err() != nil
	h.waiting = slices.DeleteFunc(h.waiting, func(line string) bool { return !isWord(line, quitWord) })
}

// Remark tells the host something that it need not understand.
func (h *Host) Remark(text string) {
	h.Say("info " + h.dialect.RemarkWord + " " + strings.Join(strings.Fields(text), " "))
}

// Position is the host's position; nil if what it has said makes no sense.
func (h *Host) Position() *xiangqi.Position { return h.pos }

// SetBan sets the moves that must not be played, up to the next position.
func (h *Host) SetBan(moves []engine.Move) { h.ban = slices.Clone(moves) }

// Forget begins a new game.
func (h *Host) Forget() { engine.Forget(h.served.Searcher) }

// Ban are the moves that SetBan has set.
func (h *Host) Ban() []engine.Move { return h.ban }
