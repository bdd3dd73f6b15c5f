package search

import (
	"context"
	"math"
	"time"

	"qhsh/engine"
)

// pollEvery is the number of nodes between checks of the clock and the context.
const pollEvery = 64

// A budget counts the nodes of a search and decides when it stops.
type budget struct {
	ctx      context.Context
	deadline time.Time // zero: none
	nodes    int64
	limit    int64
	stopped  bool
}

func newBudget(ctx context.Context, lim engine.Limits) *budget {
	b := &budget{ctx: ctx, limit: math.MaxInt64}
	if lim.Nodes > 0 {
		b.limit = lim.Nodes
	}
	if lim.Time > 0 {
		b.deadline = time.Now().Add(lim.Time)
	}
	return b
}

// takeNode counts a node and reports whether the budget allowed it.
func (b *budget) takeNode() bool {
	if !b.stopped && (b.nodes >= b.limit || b.nodes%pollEvery == 0 && b.expired()) {
		b.stopped = true
	}
	if b.stopped {
		return false
	}
	b.nodes++
	return true
}

func (b *budget) expired() bool {
	return b.ctx.Err() != nil || !b.deadline.IsZero() && !time.Now().Before(b.deadline)
}
