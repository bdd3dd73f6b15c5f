package search

import (
	"context"
	"math"
	"runtime"
	"sync/atomic"
	"time"

	"qhsh/engine"
)

// pollEvery is the number of nodes between two checks of the clock and the context, about a
// millisecond.
const pollEvery = 1024

// A search yields to other goroutines every so many polls, because a Go program whose processors
// are all busy searching is slow to react to anything else. If no processor is free, it yields at
// every poll. If one is idle, yielding wakes it up for nothing, which costs several percent of the
// speed.
const (
	yieldSeldom = 4
	yieldAlways = 1
)

// A budget counts the nodes of a search and decides when it has to stop. It is the only part of a
// search that knows about time.
type budget struct {
	ctx      context.Context
	deadline time.Time // zero: none
	nodes    int64     // entered so far
	limit    int64     // maximum number of nodes
	pollAt   int64     // the node count of the next poll; never above limit
	polls    int       // polls so far
	yields   int       // yieldSeldom or yieldAlways
	stopped  bool
	pool     *nodePool // shared by several threads; nil with one

	entered atomic.Int64 // copy of nodes for the other threads to read; 0 with one thread
}

// A nodePool is what the threads of one search share: the nodes left and the stop flag. Every node
// is entered by a thread, granted to a thread that has not entered it yet, or left.
type nodePool struct {
	left    atomic.Int64
	stop    atomic.Bool
	budgets []*budget // one for each thread
}

// grant returns the number of nodes that a thread may enter before it asks again; 0 if none are
// left.
func (p *nodePool) grant() int64 {
	for {
		left := p.left.Load()
		grant := min(left, pollEvery)
		if grant <= 0 || p.left.CompareAndSwap(left, left-grant) {
			return max(0, grant)
		}
	}
}

// share makes b the budget of the first of several threads, and creates those of the others, which
// stop when the pool says so. b must be unused.
func (b *budget) share(threads int) {
	b.pool = &nodePool{budgets: []*budget{b}}
	b.pool.left.Store(b.limit)
	b.pollAt = b.pool.grant()
	for range threads - 1 {
		b.pool.budgets = append(b.pool.budgets,
			&budget{ctx: b.ctx, deadline: b.deadline, limit: b.limit, yields: b.yields, pool: b.pool})
	}
}

// returnUnused returns the nodes that were granted to a thread and not entered.
func (b *budget) returnUnused() {
	b.pool.left.Add(b.pollAt - b.nodes)
	b.pollAt = b.nodes
}

// total returns the number of nodes that all threads have entered.
func (b *budget) total() int64 {
	if b.pool == nil {
		return b.nodes
	}
	sum := int64(0)
	for _, one := range b.pool.budgets {
		sum += one.entered.Load()
	}
	return sum
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

// spend takes one node from the budget and reports whether there was one.
func (b *budget) spend() bool {
	if b.nodes >= b.pollAt && b.poll() {
		return false
	}
	b.nodes++
	if b.pool != nil {
		b.entered.Store(b.nodes)
	}
	return true
}

// poll reports whether the search must stop, and stores that in b.stopped.
func (b *budget) poll() bool {
	if b.polls++; b.polls%b.yields == 0 {
		runtime.Gosched()
	}
	more := min(b.limit-b.nodes, pollEvery)
	if b.pool != nil && more > 0 {
		more = b.pool.grant()
		b.stopped = b.pool.stop.Load()
	}
	if more <= 0 || b.ctx.Err() != nil || b.timeUp() {
		b.stopped = true
	}
	b.pollAt = b.nodes + more
	return b.stopped
}

func (b *budget) timeUp() bool { return !b.deadline.IsZero() && !time.Now().Before(b.deadline) }
