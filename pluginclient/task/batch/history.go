package batch

import (
	"time"

	"qhsh/engine"
)

// A history follows the best move of a search.
type history struct {
	begun time.Time
	depth int // the most so far, as nodes: the answer may be a line of an earlier depth
	nodes int64
	best  engine.Move
	found Limits // how far the search had come when it found the move that it has kept since
}

// see is called with the best line so far.
func (h *history) see(best engine.Line) {
	h.depth, h.nodes = max(h.depth, best.Depth), max(h.nodes, best.Nodes)
	if best.Move() == h.best {
		return
	}
	h.best = best.Move()
	// At least a millisecond, since zero is absent.
	h.found = Limits{Depth: h.depth, Nodes: h.nodes, Time: max(time.Since(h.begun).Truncate(time.Millisecond), time.Millisecond)}
}
