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
	errSuperseded  = errors.New("the host wants something else")
	errPonderMiss  = errors.New("another move was played")
	errAllExcluded = errors.New("every move is excluded")
)

// abandonGrace is how long a search that is given up may take to end before something else is
// begun.
const abandonGrace = 2 * time.Second

// abandon abandons the current search. Its later output is ignored.
func (c *serverConn) abandon() { c.abandonFor(errSuperseded) }

func (c *serverConn) abandonFor(why error) {
	if c.task == nil {
		return
	}
	c.task.GiveUp(why)
	c.task.Wait(abandonGrace)
	c.task = nil
}

// startSearch begins a search. Thinking output is told of every list, unless the host does not want
// to hear it.
func (c *serverConn) startSearch(k kind, q serving.Request) {
	show := k != hinting && (!c.quiet || k == analyzing)
	q.OnLines = func(s *serving.Search, lines []engine.Line) {
		if show {
			c.WriteLines(formatThoughts(lines, time.Since(s.StartedAt))...)
		}
	}
	c.task = &task{Search: c.config.StartSearch(c.ctx, q), kind: k}
}

func formatThoughts(lines []engine.Line, spent time.Duration) []string {
	texts := make([]string, 0, len(lines))
	for _, line := range lines {
		texts = append(texts, formatThought(line, spent))
	}
	return texts
}

// think begins to think about the engine's move.
func (c *serverConn) think() error {
	if engine.FirstAllowed(c.pos, c.excluded) == engine.NoMove {
		return errAllExcluded
	}
	c.startSearch(thinking, serving.Request{Pos: c.pos, Limits: c.searchLimits()})
	return nil
}

// ponder begins to think on the opponent's time, if the host wants that.
func (c *serverConn) ponder() {
	if !c.ponderOn || !c.playing || c.resultSent || c.expected == engine.NoMove || c.pos.Side() == c.side {
		return
	}
	next, err := c.pos.PlayMove(xiangqi.Move(c.expected))
	if err != nil || next.Result().Over() {
		return
	}
	c.WriteLines("Hint: " + ucifamily.FromZero.Format(c.expected)) // section 10: the lines then need not begin with it
	c.startSearch(pondering, serving.Request{Pos: next, Limits: c.searchLimitsAt(next), Ponder: true})
	c.task.reply = c.expected
}

// analyze begins to analyze the position, again after every change of it.
func (c *serverConn) analyze() {
	c.abandon()
	if c.pos == nil || engine.FirstAllowed(c.pos, c.excluded) == engine.NoMove {
		return
	}
	c.startSearch(analyzing, serving.Request{
		Pos: c.pos, Hold: true,
		Limits: engine.Limits{Lines: c.multiPV, Ban: slices.Clone(c.excluded), Depth: c.limits.depth},
	})
}

// finish deals with the end of a search.
func (c *serverConn) finish() {
	t := c.task
	c.task = nil
	switch t.kind {
	case thinking:
		c.answer(t)
	case hinting:
		if best, err := t.Best(); err == nil {
			c.WriteLines("Hint: " + ucifamily.FromZero.Format(best.Move()))
		}
	}
}

// answer makes the engine's move.
func (c *serverConn) answer(t *task) {
	best, err := t.Best()
	if err != nil {
		c.WriteLines("tellusererror the search failed: " + oneLine(err.Error()))
		c.playing = false
		return
	}
	c.limits.spend(time.Since(t.StartedAt))
	next, err := c.pos.PlayMove(xiangqi.Move(best.Move()))
	if err != nil {
		return // it is legal
	}
	c.enterPosition(next)
	losing := best.Score.Known() && best.Score.Compare(engine.Centipawns(0)) < 0
	if c.drawOffered && losing || c.vsComputer && c.isDraw() {
		c.WriteLines("offer draw")
	}
	c.drawOffered = false
	c.WriteLines("move " + ucifamily.FromZero.Format(best.Move()))
	c.expected = engine.NoMove
	if len(best.Moves) > 1 {
		c.expected = best.Moves[1]
	}
	c.reportResult()
	c.ponder()
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// hint suggests a move: the reply that is expected, the best so far, or what a search at the
// level finds in a second.
func (c *serverConn) hint() {
	switch {
	case c.pos == nil || c.pos.Result().Over():
	case c.task != nil && c.task.kind == pondering:
		c.WriteLines("Hint: " + ucifamily.FromZero.Format(c.task.reply))
	case c.task != nil:
		if lines := c.task.Lines(); len(lines) > 0 {
			c.WriteLines("Hint: " + ucifamily.FromZero.Format(lines[0].Move()))
		}
	default:
		c.startSearch(hinting, serving.Request{Pos: c.pos, Limits: engine.Limits{Level: c.levelOrDefault(), Time: time.Second}})
	}
}

// status answers ".": time, nodes, depth, moves left of how many, the best move (section 12).
// How far an iteration has come is not known.
func (c *serverConn) status() {
	if c.task == nil {
		return
	}
	var first engine.Line
	move := ""
	if lines := c.task.Lines(); len(lines) > 0 {
		first = lines[0]
		move = " " + ucifamily.FromZero.Format(first.Move())
	}
	numbers := []int64{
		time.Since(c.task.StartedAt).Milliseconds() / 10, first.Nodes, int64(first.Depth),
		0, int64(len(c.task.Pos.Moves())),
	}
	text := "stat01:"
	for _, n := range numbers {
		text += " " + strconv.FormatInt(n, 10)
	}
	c.WriteLines(text + move)
}
