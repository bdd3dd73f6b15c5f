package batch

import (
	"time"

	"qhsh/engine"
)

// A history follows the best move of a search.
type history struct {
	begun time.Time
	best  engine.Move
	found Limits // how far the search had come when it found the move that it has kept since
}

// see is called with the best line so far.
func (h *history) see(best engine.Line) {
	if best.Move() == h.best {
		return
	}
	h.best = best.Move()
	// At least a millisecond, since zero is absent.
	h.found = Limits{Depth: best.Depth, Nodes: best.Nodes, Time: max(time.Since(h.begun).Truncate(time.Millisecond), time.Millisecond)}
}
