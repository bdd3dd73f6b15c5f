package search

import (
	"context"
	"errors"
	"math"
	"runtime"
	"time"

	"qhsh/engine"
)

// pollEvery is the number of nodes between two checks of the clock and the context.
const pollEvery = 1024

// A budget counts the nodes of a search and decides when it has to stop.
type budget struct {
	ctx      context.Context
	deadline time.Time // zero: none
	nodes    int64
	limit    int64
	pollAt   int64
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
	b.pollAt = min(b.limit, pollEvery)
	return b
}

// spend takes a node and reports whether there was one.
func (b *budget) spend() bool {
	if b.nodes >= b.pollAt && b.poll() {
		return false
	}
	b.nodes++
	return true
}

// poll reports whether the search is over, and remembers it. It lets other goroutines run,
// because a Go program whose processors are all busy is slow to notice anything else.
func (b *budget) poll() bool {
	runtime.Gosched()
	late := !b.deadline.IsZero() && !time.Now().Before(b.deadline)
	b.stopped = b.stopped || b.nodes >= b.limit || late || b.ctx.Err() != nil
	b.pollAt = min(b.limit, b.nodes+pollEvery)
	return b.stopped
}

// abortCause returns the context's cause if it means to give up.
func (b *budget) abortCause() error {
	if err := context.Cause(b.ctx); err != nil && !errors.Is(err, engine.ErrMoveNow) {
		return err
	}
	return nil
}
