package ucifamily

import (
	"context"
	"fmt"
	"iter"
	"runtime"
	"strconv"
	"time"

	"qhsh/engine"
	"qhsh/engine/xiangqi"
	"qhsh/pluginclient/serving"
)

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
