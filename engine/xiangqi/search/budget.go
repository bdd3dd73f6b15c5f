package search

import (
	"context"
	"errors"
	"math"
	"runtime"
	"time"

	"qhsh/engine"
)

// pollEvery is how many nodes pass between two looks at the clock and the context:
// about a millisecond. Every yieldEvery-th look lets other goroutines run, because a
// Go program whose processors are all busy searching is slow to notice anything
// else; more often would cost a search several percent of its speed.
const (
	pollEvery  = 1024
	yieldEvery = 4
)

// A budget counts the nodes of a search and says when it has to stop. It is the
// only part of a search that knows of time.
type budget struct {
	ctx      context.Context
	deadline time.Time // zero: none
	nodes    int64     // entered so far
	limit    int64     // never entered more
	pollAt   int64     // the count at which to look up; never above limit
	polls    int       // looks so far
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

// spend takes one node from the budget; false if there is none left.
func (b *budget) spend() bool {
	if b.nodes >= b.pollAt && b.poll() {
		return false
	}
	b.nodes++
	return true
}

// poll tells whether the search is over, and remembers it.
func (b *budget) poll() bool {
	if b.polls++; b.polls%yieldEvery == 0 {
		runtime.Gosched()
	}
	if b.nodes >= b.limit || b.ctx.Err() != nil || b.late() {
		b.stopped = true
		return true
	}
	b.pollAt = min(b.limit, b.nodes+pollEvery)
	return false
}

func (b *budget) late() bool { return !b.deadline.IsZero() && !time.Now().Before(b.deadline) }

// abandoned is the context's cause if it says to give up, nil if the search is to
// answer.
func (b *budget) abandoned() error {
	if err := context.Cause(b.ctx); err != nil && !errors.Is(err, engine.ErrMoveNow) {
		return err
	}
	return nil
}
