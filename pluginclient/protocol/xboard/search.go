package xboard

import (
	"errors"
	"slices"
	"strconv"
	"time"

	"qhsh/engine"
	"qhsh/engine/xiangqi"
	"qhsh/pluginclient"
	"qhsh/pluginclient/protocol/uci"
	"qhsh/pluginclient/serving"
)

// kind is the purpose of a search. The host waits for the result of the first two.
type kind int

const (
	thinking kind = iota
	hinting
	pondering
	analyzing
)

// task is a running search.
type task struct {
	*serving.Search
	kind  kind
	reply engine.Move // the move that pondering expects
}

// Reasons to abandon a search.
var (
	errSuperseded  = errors.New("the host wants something else")
	errPonderMiss  = errors.New("another move was played")
	errAllExcluded = errors.New("every move is excluded")
)

// abandonGrace is how long an abandoned search may take to end before the next one is started.
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

// startSearch starts a search. It writes thinking output for every list, unless the host has turned
// that off.
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

// think starts the search for the engine's move.
func (c *serverConn) think() error {
	if engine.FirstAllowed(c.pos, c.excluded) == engine.NoMove {
		return errAllExcluded
	}
	lim := c.searchLimitsAt(c.pos)
	lim.Play = c.multiPV == 1
	c.startSearch(thinking, serving.Request{Pos: c.pos, Limits: lim})
	return nil
}

// ponder starts a search on the opponent's time, if the host wants that.
func (c *serverConn) ponder() {
	if !c.ponderOn || !c.playing || c.resultSent || c.expected == engine.NoMove || c.pos.Side() == c.side {
		return
	}
	next, err := c.pos.PlayMove(xiangqi.Move(c.expected))
	if err != nil || next.Result().Over() {
		return
	}
	c.WriteLines("Hint: " + uci.FromZero.Format(c.expected)) // section 10: its thinking output need not repeat the move
	c.startSearch(pondering, serving.Request{Pos: next, Limits: c.searchLimitsAt(next), Ponder: true})
	c.task.reply = c.expected
}

// analyze starts the analysis of the position. It is called again after every change.
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

// finish handles the end of a search.
func (c *serverConn) finish() {
	t := c.task
	c.task = nil
	switch t.kind {
	case thinking:
		c.answer(t)
	case hinting:
		if best, err := t.Best(); err == nil {
			c.WriteLines("Hint: " + uci.FromZero.Format(best.Move()))
		}
	}
}

// answer plays the engine's move.
func (c *serverConn) answer(t *task) {
	best, err := t.Best()
	if best.Offer == engine.Resignation || errors.Is(err, pluginclient.ErrResigned) {
		c.WriteLines("resign")
		c.playing = false
		return
	}
	if err != nil {
		c.WriteLines("tellusererror the search failed: " + serving.OneLine(err.Error()))
		c.playing = false
		return
	}
	l, d := &c.limits, time.Since(t.StartedAt)
	l.clock.Left += l.clock.Increment - d
	if l.clock.Moves > 0 {
		if l.clock.Moves--; l.clock.Moves == 0 {
			l.clock.Left, l.clock.Moves = l.clock.Left+l.base, l.mps
		}
	}
	next, err := c.pos.PlayMove(xiangqi.Move(best.Move()))
	if err != nil {
		return // unreachable: the move is legal
	}
	c.enterPosition(next)
	losing := best.Score.Known() && best.Score.Compare(engine.Centipawns(0)) < 0
	if best.Offer == engine.DrawOffer || c.drawOffered && losing || c.vsComputer && c.pos.Adjudicate().Outcome == engine.Draw {
		c.WriteLines("offer draw")
	}
	c.drawOffered = false
	c.WriteLines("move " + uci.FromZero.Format(best.Move()))
	c.expected = engine.NoMove
	if len(best.Moves) > 1 {
		c.expected = best.Moves[1]
	}
	c.reportResult()
	c.ponder()
}

// hint suggests a move: the expected reply, the best move so far, or the result of a search of one
// second at the level.
func (c *serverConn) hint() {
	switch {
	case c.pos == nil || c.pos.Result().Over():
	case c.task != nil && c.task.kind == pondering:
		c.WriteLines("Hint: " + uci.FromZero.Format(c.task.reply))
	case c.task != nil:
		if lines := c.task.Lines(); len(lines) > 0 {
			c.WriteLines("Hint: " + uci.FromZero.Format(lines[0].Move()))
		}
	default:
		c.startSearch(hinting, serving.Request{Pos: c.pos, Limits: engine.Limits{Level: c.levelOrDefault(), Time: time.Second}})
	}
}

// status replies to ".": time, nodes, depth, remaining and total moves, and the best move (section
// 12). The progress of an iteration is unknown.
func (c *serverConn) status() {
	if c.task == nil {
		return
	}
	var first engine.Line
	move := ""
	if lines := c.task.Lines(); len(lines) > 0 {
		first = lines[0]
		move = " " + uci.FromZero.Format(first.Move())
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
