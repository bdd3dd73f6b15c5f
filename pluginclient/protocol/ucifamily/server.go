package ucifamily

import (
	"context"
	"fmt"
	"io"
	"iter"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"qhsh/engine"
	"qhsh/engine/xiangqi"
	"qhsh/pluginclient"
	"qhsh/pluginclient/serving"
)

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

// handle carries out one command.
func (h *Host) handle(line string) {
	h.Hear(line)
	if line == serving.Overlong {
		h.Remark(fmt.Sprintf("a line of over %d bytes", Input.MaxLine))
		return
	}
	words := strings.Fields(line)
	if len(words) == 0 {
		return
	}
	args := words[1:]
	switch words[0] {
	case h.dialect.Greeting:
		h.introduce()
	case "isready":
		h.served.Settle()
		h.Say("readyok")
	case "setoption":
		h.setOption(h.dialect.ReadSetOption(args))
	case "position":
		h.setPosition(args)
	case goWord:
		h.ask(h.dialect.ReadGo(h, args))
	case stopWord:
		h.stop()
	case "ponderhit":
		h.ponderHit(args)
	case quitWord:
		h.quit()
	default:
		if command := h.dialect.Commands[words[0]]; command != nil {
			command(h, args)
			return
		}
		h.Remark("unknown command " + strconv.Quote(pluginclient.Excerpt(words[0])))
	}
}

func (h *Host) introduce() {
	lines := []string{"id name " + h.served.Name}
	if h.served.Author != "" {
		lines = append(lines, "id author "+h.served.Author)
	}
	for _, o := range h.options {
		lines = append(lines, h.dialect.FormatOption(o.Option))
	}
	h.Say(append(lines, h.dialect.Greeting+"ok")...)
}

// standard are the options that every server has.
func (h *Host) standard() []Setter {
	return append(h.dialect.Options(h), h.served.LevelSetter(func(id int) { h.level = id })...)
}

// ListSetter is the option of how many lines are told, by the name that a protocol gives it.
func (h *Host) ListSetter(name string) Setter {
	return ListSetter(name, func(n int) { h.list = n })
}

func (h *Host) setOption(name, value string) {
	known, err := Set(h.options, name, strings.TrimPrefix(value, empty))
	switch {
	case err != nil:
		h.Remark(err.Error())
	case !known && !h.dialect.Silently(name):
		h.Remark("there is no option " + strconv.Quote(pluginclient.Excerpt(name)))
	}
}

func (h *Host) setPosition(args []string) {
	pos, err := readPosition(args, FromZero)
	h.pos, h.ban = pos, nil
	if err != nil {
		h.pos = nil
		h.Remark(err.Error())
	}
}

func (h *Host) stop() {
	if h.asking != nil {
		h.asking.MoveNow()
		return
	}
	if h.dialect.IdleStop != "" {
		h.Say(h.dialect.IdleStop)
	}
}

func (h *Host) ponderHit(args []string) {
	if h.asking == nil {
		return
	}
	h.asking.Draw = h.asking.Draw || len(args) > 0 && args[0] == "draw"
	h.asking.hit = true
	h.asking.Hit()
}

func (h *Host) quit() {
	if h.dialect.Bye != "" {
		h.Say(h.dialect.Bye)
	}
	h.over = true
}

// Go is what a "go" asks for.
type Go struct {
	Limits   engine.Limits
	Infinite bool // until "stop"
	Ponder   bool // on the opponent's time, until "ponderhit"
	Draw     bool // the host offers a draw
	Mate     int  // it is enough to find a mate in so many moves; 0: it is not
	Perft    int  // count the sequences of so many moves instead
	Nothing  bool // do not search at all
}

// Limited reports whether the search ends by itself: at a limit of its own, or with the mate that
// is looked for.
func (g Go) Limited() bool {
	lim := g.Limits
	return lim.Level > 0 || lim.Nodes > 0 || lim.Depth > 0 || lim.Time > 0 || g.Mate > 0
}

// asking is a "go" under way.
type asking struct {
	*serving.Search
	Go
	hit bool // the reply that it ponders has been played
}

// endless reports whether it ends only when the host says so.
func (a *asking) endless() bool {
	return a.Perft == 0 && (a.Infinite || a.Ponder && !a.hit || !a.Limited())
}

// ask begins a search, or answers at once where there is nothing to search.
func (h *Host) ask(g Go) {
	if h.pos == nil {
		h.Remark("there is no position to think about: the last one that was sent makes no sense")
		h.Say(h.dialect.FormatBestMove(nil, false))
		return
	}
	if g.Perft == 0 && (g.Nothing || engine.FirstAllowed(h.pos, g.Limits.Ban) == engine.NoMove) {
		h.Say(h.dialect.FormatBestMove(nil, false))
		return
	}
	g.Limits.Lines = h.list
	if g.Limits.Level == 0 && (h.served.LevelsOnly || g.Limits.Nodes == 0 && g.Limits.Depth == 0) {
		g.Limits.Level = h.level
	}
	h.asking = &asking{Search: h.begin(g), Go: g}
}

func (h *Host) begin(g Go) *serving.Search {
	if g.Perft > 0 {
		return serving.Begin(h.ctx, serving.Question{Searcher: counter{h, h.pos, g.Perft}, Pos: h.pos})
	}
	each := func(s *serving.Search, lines []engine.Line) {
		h.Say(h.dialect.FormatInfo(lines, time.Since(s.Begun), g.Limits.Lines)...)
		if g.mated(lines) {
			s.MoveNow()
		}
	}
	return h.served.Ask(h.ctx, serving.Question{
		Pos: h.pos, Limits: g.Limits, Ponder: g.Ponder, Each: each,
		Hold: g.Infinite && h.dialect.HoldsInfinite,
	})
}

// mated tells whether the mate that was looked for is found.
func (g Go) mated(lines []engine.Line) bool {
	if g.Mate == 0 || len(lines) == 0 {
		return false
	}
	n, ok := lines[0].Score.Mate()
	return ok && 0 < n && n <= g.Mate
}

// answer tells what has come of the search.
func (h *Host) answer() {
	a := h.asking
	h.asking = nil
	if a.Perft > 0 {
		return
	}
	best, err := a.Best()
	if err != nil {
		h.Remark(fmt.Sprintf("the search failed: %v", err))
		h.Say(h.dialect.FormatBestMove(nil, false))
		return
	}
	losing := best.Score.Known() && best.Score.Compare(engine.Centipawns(0)) < 0
	h.Say(h.dialect.FormatBestMove(&best, a.Draw && losing))
}

// counter is a Searcher that counts instead. It has no answer: it tells the host of each move
// how many sequences begin with it.
type counter struct {
	h     *Host
	pos   *xiangqi.Position
	depth int
}

func (c counter) Search(ctx context.Context, _ engine.Position, _ engine.Limits) iter.Seq2[[]engine.Line, error] {
	return func(func([]engine.Line, error) bool) { c.h.perft(ctx, c.pos, c.depth) }
}

func (h *Host) perft(ctx context.Context, pos *xiangqi.Position, depth int) {
	branches, err := xiangqi.Divide(ctx, pos, depth, runtime.GOMAXPROCS(0))
	if err != nil {
		h.Remark(err.Error())
		return
	}
	var lines []string
	total := int64(0)
	for _, b := range branches {
		lines = append(lines, b.Move.UCI()+": "+strconv.FormatInt(b.Nodes, 10))
		total += b.Nodes
	}
	h.Say(append(lines, "", "Nodes searched: "+strconv.FormatInt(total, 10), "")...)
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
