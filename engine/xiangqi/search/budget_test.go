package search

import (
	"sync"
	"testing"

	"pgregory.net/rapid"

	"qhsh/engine"
	"qhsh/engine/enginetest"
)

// spendUpTo enters nodes until it has entered enough or none are left.
func (b *budget) spendUpTo(enough int64) {
	for b.nodes < enough && b.spend() {
	}
}

// The threads together enter as many nodes as total returns, never more than the limit. The whole
// limit can be used, even if some threads were granted nodes that they did not use.
func TestPoolIsExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		limit := rapid.Int64Range(1, 20_000).Draw(t, "limit")
		wants := rapid.SliceOfN(rapid.Int64Range(0, 6000), 2, 9).Draw(t, "wants")
		first := newBudget(t.Context(), engine.Limits{Nodes: limit})
		first.share(len(wants))
		var running sync.WaitGroup
		for i, b := range first.pool.budgets[1:] {
			running.Go(func() {
				defer b.returnUnused()
				b.spendUpTo(wants[i+1])
			})
		}
		running.Wait()
		before := first.total()
		first.spendUpTo(limit)
		sum := int64(0)
		for i, b := range first.pool.budgets {
			if sum += b.nodes; i > 0 && b.nodes > wants[i] {
				t.Errorf("thread %d entered %d nodes, want at most %d", i, b.nodes, wants[i])
			}
		}
		if sum != first.total() || sum != limit || before > limit {
			t.Errorf("limit %d: %d nodes entered, %d reported, %d of them before the first thread used the rest", limit, sum, first.total(), before)
		}
	})
}

// Visited returns the number of nodes that the workers have entered, and the rest of the limit
// remains in the pool.
func TestVisitedIsExact(t *testing.T) {
	enginetest.SkipUnderRace(t)
	e, err := New(Options{Hash: 1, Threads: 4})
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		pos := anyPosition(t)
		lim := engine.Limits{Nodes: rapid.Int64Range(2*nodesPerThread, 5*nodesPerThread).Draw(t, "nodes"), Depth: rapid.IntRange(1, 4).Draw(t, "depth")}
		answer, err := engine.Best(t.Context(), e, pos, lim)
		if err != nil {
			t.Fatal(err)
		}
		workers := append([]*worker{e.worker}, e.helpers[:threadCount(4, lim.Nodes)-1]...)
		sum := int64(0)
		for _, w := range workers {
			sum += w.budget.nodes
		}
		p := e.worker.budget.pool
		if unspent := e.worker.budget.pollAt - e.worker.budget.nodes; len(p.budgets) != len(workers) || sum+unspent+p.left.Load() != lim.Nodes {
			t.Errorf("%d threads entered %d nodes, %d are granted and %d left of %d", len(p.budgets), sum, unspent, p.left.Load(), lim.Nodes)
		}
		if e.Visited() != sum || answer[0].Nodes > sum || sum > lim.Nodes {
			t.Errorf("%d nodes entered, %d reported, %d in the answer, %d allowed", sum, e.Visited(), answer[0].Nodes, lim.Nodes)
		}
	})
}

func TestTeam(t *testing.T) {
	for _, c := range []struct {
		threads int
		nodes   int64
		want    int
	}{
		{1, 0, 1},
		{256, 0, 256},
		{8, 1, 1},
		{8, 25_600, 1},
		{8, 32_767, 1},
		{8, 32_768, 2},
		{8, 102_400, 6},
		{4, 102_400, 4},
		{8, 1_000_000, 8},
		{1, 1_000_000, 1},
		{256, 1 << 62, 256},
	} {
		if got := threadCount(c.threads, c.nodes); got != c.want {
			t.Errorf("of %d threads %d search %d nodes, want %d", c.threads, got, c.nodes, c.want)
		}
	}
}
