package search

import (
	"context"
	"errors"
	"math"
	"runtime"
	"sync/atomic"
	"time"

	"qhsh/engine"
)

// pollEvery is how many nodes pass between two looks at the clock and the context:
// about a millisecond.
const pollEvery = 1024

// Every so many looks a search lets other goroutines run, because a Go program whose
// processors are all busy searching is slow to notice anything else. A search that has
// left no processor free does so at every look. Where one is idle, each time wakes it
// up for nothing, which costs several percent of the speed.
const (
	yieldSeldom = 4
	yieldAlways = 1
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
	yields   int       // yieldSeldom or yieldAlways
	stopped  bool
	pool     *pool // where several threads take their nodes from; nil with one
}

// A pool is what the threads of one search share: its nodes, and the word to stop.
type pool struct {
	limit int64
	taken atomic.Int64
	stop  atomic.Bool
}

// take is the number of nodes that a thread may enter before it asks again; 0 if
// there are none left.
func (p *pool) take() int64 {
	before := p.taken.Add(pollEvery) - pollEvery
	return max(0, min(pollEvery, p.limit-before))
}

// total is the number of nodes that all threads have entered, or are about to.
func (b *budget) total() int64 {
	if b.pool == nil {
		return b.nodes
	}
	return min(b.pool.taken.Load(), b.pool.limit)
}

// shared is a budget for another thread of the same search, which stops when the
// first one says so.
func (b *budget) shared() *budget {
	return &budget{ctx: b.ctx, deadline: b.deadline, limit: b.limit, yields: b.yields, pool: b.pool}
}

func newBudget(ctx context.Context, lim engine.Limits) *budget {
	b := &budget{ctx: ctx, limit: math.MaxInt64, yields: yieldSeldom}
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
	if b.polls++; b.polls%b.yields == 0 {
		runtime.Gosched()
	}
	more := min(b.limit-b.nodes, pollEvery)
	if b.pool != nil && more > 0 {
		more = b.pool.take()
		b.stopped = b.pool.stop.Load()
	}
	if more <= 0 || b.ctx.Err() != nil || b.late() {
		b.stopped = true
	}
	b.pollAt = b.nodes + more
	return b.stopped
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
