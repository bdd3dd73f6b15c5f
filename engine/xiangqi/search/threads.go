package search

import (
	"runtime"
	"sync"

	"qhsh/engine"
	"qhsh/engine/xiangqi"
)

// maxThreads is how many threads one search may have.
const maxThreads = 256

// Several threads search the same position at once, each with histories of its own,
// and share the table: what one has found, the others need not look for. Nothing else
// keeps them in step. The first thread alone talks to the receiver; the others run
// ahead of it and are stopped when it ends. So with more than one thread an answer
// depends on chance.

// helpers are the workers beside the first.
func newHelpers(o Options, t *table) []*worker {
	list := make([]*worker, o.Threads-1)
	for i := range list {
		list[i] = newWorker(o, t)
	}
	return list
}

// help sets the helpers to work. It returns the function that ends it and waits for
// them.
func help(helpers []*worker, b *budget, root *xiangqi.Position, moves []xiangqi.Move, lim engine.Limits) (end func()) {
	b.pool = &pool{limit: b.limit}
	b.pollAt = b.pool.take()
	if len(helpers)+1 >= runtime.GOMAXPROCS(0) {
		b.yields = yieldAlways
	}
	var running sync.WaitGroup
	for i, w := range helpers {
		own := b.shared()
		running.Go(func() {
			w.begin(own, root, moves, lim)
			w.assist(1 + i%2)
		})
	}
	return func() {
		b.pool.stop.Store(true)
		running.Wait()
	}
}

// assist searches deeper and deeper, from an iteration on, until it is stopped.
func (w *worker) assist(first int) {
	for w.depth = first; w.depth <= maxDepth; w.depth++ {
		if w.iterate(); w.budget.stopped || w.roots.settled(w.depth) {
			return
		}
	}
}
