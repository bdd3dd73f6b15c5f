package search

import (
	"runtime"
	"slices"
	"sync"

	"qhsh/engine"
	"qhsh/engine/xiangqi"
)

// MaxThreads is how many threads one search may have.
const MaxThreads = 256

// nodesPerThread is how many nodes a limited search must have for each of its threads.
// They share the nodes, but the answer is the first one's: with few nodes what the others
// find is not worth what it takes from the first.
const nodesPerThread = 16384

// Several threads search the same position at once, each with histories of its own,
// and share the table: what one has found, the others need not look for. Nothing else
// keeps them in step. The first thread alone talks to the receiver; the others run
// ahead of it and are stopped when it ends. So with more than one thread an answer
// depends on chance.

// threadCount is how many of an Engine's threads search together, the first included, where so
// many nodes may be entered; 0 nodes: no limit.
func threadCount(threads int, nodes int64) int {
	if nodes <= 0 {
		return threads
	}
	return int(min(int64(threads), max(1, nodes/nodesPerThread)))
}

// resizeHelpers makes the engine have the helpers that its options ask for. Those that it has
// already keep what they remember.
func (e *Engine) resizeHelpers() {
	want := e.options.Threads - 1
	for len(e.helpers) < want {
		e.helpers = append(e.helpers, newWorker(e.options, e.table))
	}
	e.helpers = slices.Clip(slices.Delete(e.helpers, want, len(e.helpers)))
}

// startHelpers sets the helpers to work. It returns the function that ends it and waits for
// them.
func startHelpers(helpers []*worker, b *budget, root *xiangqi.Position, moves []xiangqi.Move, lim engine.Limits) (end func()) {
	if len(helpers)+1 >= runtime.GOMAXPROCS(0) {
		b.yields = yieldAlways
	}
	b.share(len(helpers) + 1)
	var running sync.WaitGroup
	for i, w := range helpers {
		own := b.pool.budgets[i+1]
		running.Go(func() {
			defer own.returnUnused()
			w.prepare(own, root, moves, lim)
			w.searchAsHelper(1 + i%2)
		})
	}
	return func() {
		b.pool.stop.Store(true)
		running.Wait()
	}
}

// searchAsHelper searches deeper and deeper, from an iteration on, until it is stopped.
func (w *worker) searchAsHelper(first int) {
	for w.depth = first; w.depth <= maxDepth; w.depth++ {
		if w.searchIteration(); w.budget.stopped || w.roots.allMatesProven(w.depth) {
			return
		}
	}
}
