package xboard

import (
	"errors"
	"fmt"
	"slices"
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

type task struct {
	*serving.Search
	kind  kind
	reply engine.Move // the move that pondering expects
}

var errSuperseded = errors.New("the host wants something else")

// abandonGrace is how long an abandoned search may take to end before the next one is started.
const abandonGrace = 2 * time.Second

// abandon abandons the current search. Its later output is ignored.
func (c *serverConn) abandon() {
	if c.task == nil {
		return
	}
	c.task.GiveUp(errSuperseded)
	c.task.Wait(abandonGrace)
	c.task = nil
}

// startSearch starts a search. It writes thinking output for every list, unless the host has turned
// that off.
func (c *serverConn) startSearch(k kind, q serving.Request) {
	show := k != hinting && (!c.quiet || k == analyzing)
	q.OnLines = func(s *serving.Search, lines []engine.Line) {
		if !show {
			return
		}
		spent, texts := time.Since(s.StartedAt), make([]string, 0, len(lines))
		for _, line := range c.config.WithDetails(lines) {
			texts = append(texts, formatThought(line, spent))
		}
		c.WriteLines(texts...)
	}
	c.task = &task{Search: c.config.StartSearch(c.ctx, q), kind: k}
}

func (c *serverConn) searchLimitsAt(pos *xiangqi.Position) engine.Limits {
	l := c.limits
	lim := engine.Limits{Level: c.level, Depth: l.depth, Lines: c.multiPV}
	if pos == c.pos {
		lim.Ban = slices.Clone(c.excluded)
	}
	switch {
	case l.exact > 0:
		lim.Time = l.exact
	case l.timed:
		lim.Time = l.clock.Budget(uci.DefaultOverhead)
	}
	if l.nps > 0 && lim.Time > 0 {
		lim.Nodes, lim.Time = max(1, int64(float64(l.nps)*lim.Time.Seconds())), 0
	}
	if lim.Level == 0 && lim.Time == 0 && (c.config.LevelsOnly || lim.Nodes == 0 && lim.Depth == 0) {
		lim.Level = c.levelOrDefault()
	}
	return lim
}

func (c *serverConn) levelOrDefault() int {
	if c.level > 0 {
		return c.level
	}
	leveler, _ := engine.As[engine.Leveler](c.config.Searcher)
	levels := leveler.Levels()
	if len(levels) == 0 || engine.CheckLevel(levels, engine.DefaultLevel) == nil {
		return engine.DefaultLevel
	}
	return levels[len(levels)-1].ID
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
	c.writeHint(c.expected) // section 10: its thinking output need not repeat the move
	c.startSearch(pondering, serving.Request{Pos: next, Limits: c.searchLimitsAt(next), Ponder: true})
	c.task.reply = c.expected
}

func (c *serverConn) writeHint(m engine.Move) { c.WriteLines("Hint: " + uci.FromZero.Format(m)) }

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

// finish handles the end of a search: the engine plays its move, or sends its hint.
func (c *serverConn) finish() {
	t := c.task
	c.task = nil
	if t.kind > hinting {
		return
	}
	best, err := t.Best()
	switch {
	case t.kind == hinting:
		if err == nil {
			c.writeHint(best.Move())
		}
		return
	case best.Offer == engine.Resignation || errors.Is(err, pluginclient.ErrResigned):
		c.WriteLines("resign")
		c.playing = false
		return
	case err != nil:
		c.WriteLines("tellusererror the search failed: " + serving.OneLine(err.Error()))
		c.playing = false
		return
	}
	l := &c.limits
	l.clock.Left += l.clock.Increment - time.Since(t.StartedAt)
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
		c.writeHint(c.task.reply)
	case c.task != nil:
		if lines := c.task.Lines(); len(lines) > 0 {
			c.writeHint(lines[0].Move())
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
	spent := time.Since(c.task.StartedAt).Milliseconds() / 10
	c.WriteLines(fmt.Sprintf("stat01: %d %d %d 0 %d%s", spent, first.Nodes, first.Depth, len(c.task.Pos.Moves()), move))
}
