package search

import (
	"runtime"
	"slices"
	"sync"

	"qhsh/engine"
	"qhsh/engine/xiangqi"
)

// MaxThreads is the maximum number of threads of a search.
const MaxThreads = 256

// nodesPerThread is the minimum number of nodes per thread of a search with a node limit. The
// threads share the nodes, but only the first one's answer counts: with few nodes, what the others
// find is not worth what they take.
const nodesPerThread = 16384

// Lazy SMP: several threads search the same position at once, each with its own histories, and
// share only the table. Only the first thread reports results; the others are stopped when it ends.
// So with more than one thread answers are not deterministic.

// threadCount returns how many threads, including the first, search a given number of nodes; 0
// nodes: no limit.
func threadCount(threads int, nodes int64) int {
	if nodes <= 0 {
		return threads
	}
	return int(min(int64(threads), max(1, nodes/nodesPerThread)))
}

// resizeHelpers adds or removes helpers according to the options. The others keep their histories.
func (e *Engine) resizeHelpers() {
	want := e.options.Threads - 1
	for len(e.helpers) < want {
		e.helpers = append(e.helpers, newWorker(e.options, e.table))
	}
	e.helpers = slices.Clip(slices.Delete(e.helpers, want, len(e.helpers)))
}

// startHelpers starts the helpers. It returns a function that stops them and waits.
func startHelpers(helpers []*worker, b *budget, root *xiangqi.Position, moves []engine.Move, lim engine.Limits) (end func()) {
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

// searchAsHelper deepens from iteration first until it is stopped.
func (w *worker) searchAsHelper(first int) {
	for w.depth = first; w.depth <= maxDepth; w.depth++ {
		if w.searchIteration(); w.budget.stopped || w.roots.allMatesProven(w.depth) {
			return
		}
	}
}
