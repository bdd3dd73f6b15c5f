package alphabeta

import (
	"context"
	"math"
	"runtime"
	"time"

	"qhsh/engine"
)

// pollEvery is the number of nodes between two checks of the clock and the context.
const pollEvery = 1024

// A Budget counts the nodes of a search on one thread and says when it has to stop.
type Budget struct {
	ctx      context.Context
	deadline time.Time // zero: none
	Nodes    int64     // spent so far
	limit    int64
	every    int64 // nodes between two checks of the clock and the context
	pollAt   int64
	Stopped  bool // there is nothing left
}

// NewBudget returns the budget of a search. It checks the clock and the context after each number of
// nodes, the first time after so many.
func NewBudget(ctx context.Context, lim engine.Limits, first, every int64) *Budget {
	b := &Budget{ctx: ctx, limit: math.MaxInt64, every: every}
	if lim.Nodes > 0 {
		b.limit = lim.Nodes
	}
	if lim.Time > 0 {
		b.deadline = time.Now().Add(lim.Time)
	}
	b.pollAt = min(b.limit, first)
	return b
}

// Spend takes a node; false if there is none left.
func (b *Budget) Spend() bool {
	if b.Nodes >= b.pollAt && b.poll() {
		return false
	}
	b.Nodes++
	return true
}

// poll reports whether the search is over, and remembers it. It lets other goroutines run,
// because a Go program whose processors are all busy is slow to notice anything else.
func (b *Budget) poll() bool {
	runtime.Gosched()
	late := !b.deadline.IsZero() && !time.Now().Before(b.deadline)
	b.Stopped = b.Stopped || b.Nodes >= b.limit || late || b.ctx.Err() != nil
	if b.pollAt = min(b.limit, b.Nodes+b.every); b.Stopped {
		b.pollAt = 0 // and is so for good
	}
	return b.Stopped
}
