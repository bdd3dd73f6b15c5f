package xboard

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"qhsh/engine"
	"qhsh/engine/xiangqi"
	"qhsh/pluginclient/protocol/ucifamily"
	"qhsh/pluginclient/serving"
)

// kind is what a search is for. The host waits for the first two.
type kind int

const (
	thinking kind = iota
	hinting
	pondering
	analyzing
)

// task is a search under way.
type task struct {
	*serving.Search
	kind  kind
	reply engine.Move // that pondering expects
}

// Why a search is given up.
var (
	errElse    = errors.New("the host wants something else")
	errMissed  = errors.New("another move was played")
	errNothing = errors.New("every move is excluded")
)

// dropGrace is how long a search that is given up may take to end before something else is
// begun.
const dropGrace = 2 * time.Second

// drop gives up the search under way. What it says after that is not to be heard.
func (h *host) drop() { h.dropFor(errElse) }

func (h *host) dropFor(why error) {
	if h.task == nil {
		return
	}
	h.task.GiveUp(why)
	h.task.Wait(dropGrace)
	h.task = nil
}

// begin begins a search. Thinking output is told of every list, unless the host does not want
// to hear it.
func (h *host) begin(k kind, q serving.Question) {
	show := k != hinting && (!h.quiet || k == analyzing)
	q.Each = func(s *serving.Search, lines []engine.Line) {
		if show {
			h.Say(thoughts(lines, time.Since(s.Begun))...)
		}
	}
	h.task = &task{Search: h.served.Ask(h.ctx, q), kind: k}
}

func thoughts(lines []engine.Line, spent time.Duration) []string {
	texts := make([]string, 0, len(lines))
	for _, line := range lines {
		texts = append(texts, formatThought(line, spent))
	}
	return texts
}

// think begins to think about the engine's move.
func (h *host) think() error {
	if engine.FirstAllowed(h.pos, h.excluded) == engine.NoMove {
		return errNothing
	}
	h.begin(thinking, serving.Question{Pos: h.pos, Limits: h.limits()})
	return nil
}

// ponder begins to think on the opponent's time, if the host wants that.
func (h *host) ponder() {
	if !h.ponders || !h.playing || h.claimed || h.expected == engine.NoMove || h.pos.Side() == h.side {
		return
	}
	next, err := h.pos.PlayMove(xiangqi.Move(h.expected))
	if err != nil || next.Result().Over() {
		return
	}
	h.Say("Hint: " + ucifamily.FromZero.Format(h.expected)) // section 10: the lines then need not begin with it
	h.begin(pondering, serving.Question{Pos: next, Limits: h.limitsIn(next), Ponder: true})
	h.task.reply = h.expected
}

// analyze begins to analyze the position, again after every change of it.
func (h *host) analyze() {
	h.drop()
	if h.pos == nil || engine.FirstAllowed(h.pos, h.excluded) == engine.NoMove {
		return
	}
	h.begin(analyzing, serving.Question{
		Pos: h.pos, Hold: true,
		Limits: engine.Limits{Lines: h.list, Ban: slices.Clone(h.excluded), Depth: h.limit.depth},
	})
}

// finish deals with the end of a search.
func (h *host) finish() {
	t := h.task
	h.task = nil
	switch t.kind {
	case thinking:
		h.answer(t)
	case hinting:
		if best, err := t.Best(); err == nil {
			h.Say("Hint: " + ucifamily.FromZero.Format(best.Move()))
		}
	}
}

// answer makes the engine's move.
func (h *host) answer(t *task) {
	best, err := t.Best()
	if err != nil {
		h.Say("tellusererror the search failed: " + oneLine(err.Error()))
		h.playing = false
		return
	}
	h.limit.spend(time.Since(t.Begun))
	next, err := h.pos.PlayMove(xiangqi.Move(best.Move()))
	if err != nil {
		return // it is legal
	}
	h.arrive(next)
	losing := best.Score.Known() && best.Score.Compare(engine.Centipawns(0)) < 0
	if h.offered && losing || h.computer && h.drawn() {
		h.Say("offer draw")
	}
	h.offered = false
	h.Say("move " + ucifamily.FromZero.Format(best.Move()))
	h.expected = engine.NoMove
	if len(best.Moves) > 1 {
		h.expected = best.Moves[1]
	}
	h.claim()
	h.ponder()
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// hint suggests a move: the reply that is expected, the best so far, or what a search at the
// level finds in a second.
func (h *host) hint() {
	switch {
	case h.pos == nil || h.pos.Result().Over():
	case h.task != nil && h.task.kind == pondering:
		h.Say("Hint: " + ucifamily.FromZero.Format(h.task.reply))
	case h.task != nil:
		if lines := h.task.Lines(); len(lines) > 0 {
			h.Say("Hint: " + ucifamily.FromZero.Format(lines[0].Move()))
		}
	default:
		h.begin(hinting, serving.Question{Pos: h.pos, Limits: engine.Limits{Level: h.levelOrDefault(), Time: time.Second}})
	}
}

// status answers ".": time, nodes, depth, moves left of how many, the best move (section 12).
// How far an iteration has come is not known.
func (h *host) status() {
	if h.task == nil {
		return
	}
	var first engine.Line
	move := ""
	if lines := h.task.Lines(); len(lines) > 0 {
		first = lines[0]
		move = " " + ucifamily.FromZero.Format(first.Move())
	}
	numbers := []int64{
		time.Since(h.task.Begun).Milliseconds() / 10, first.Nodes, int64(first.Depth),
		0, int64(len(h.task.Pos.Moves())),
	}
	text := "stat01:"
	for _, n := range numbers {
		text += " " + strconv.FormatInt(n, 10)
	}
	h.Say(text + move)
}
