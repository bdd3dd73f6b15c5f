package search

import (
	"testing"

	"qhsh/engine"
	"qhsh/engine/xiangqi"
)

// begun returns a worker that has begun to search the starting position.
func begun(t *testing.T, o Options) *worker {
	t.Helper()
	o, err := o.checked()
	if err != nil {
		t.Fatal(err)
	}
	w := newWorker(o, newTable(1))
	w.prepare(newBudget(t.Context(), engine.Limits{}), xiangqi.Start(), xiangqi.Start().LegalMoves(), engine.Limits{})
	w.depth = nullVerifyDepth
	return w
}

// A cut by a null move is looked at again from a depth on, and with NullVerify alone.
func TestNullVerify(t *testing.T) {
	nodes := func(verify bool, depth int) int64 {
		w := begun(t, Options{NullVerify: verify})
		if _, ok := w.nullMoveSearch(0, depth, -1000, 0); !ok {
			t.Errorf("depth %d, NullVerify %v: to pass is not good enough", depth, verify)
		}
		return w.budget.nodes
	}
	if with, without := nodes(true, nullVerifyDepth), nodes(false, nullVerifyDepth); with <= without {
		t.Errorf("%d nodes with NullVerify, %d without", with, without)
	}
	if with, without := nodes(true, nullVerifyDepth-1), nodes(false, nullVerifyDepth-1); with != without {
		t.Errorf("less deep, %d nodes with NullVerify, %d without", with, without)
	}
}

// A quiet move that has always failed is skipped, with HistoryPruning.
func TestHistoryPruning(t *testing.T) {
	for _, on := range []bool{true, false} {
		w := begun(t, Options{HistoryPruning: on})
		m := w.board.AppendQuiets(nil)[0]
		if w.skipQuiet(0, 2, 0, 2, m) {
			t.Errorf("HistoryPruning %v: a move that nothing is known of is skipped", on)
		}
		w.history.quiet[w.board.Side()][m] = -historyMax
		if got := w.skipQuiet(0, 2, 0, 2, m); got != on {
			t.Errorf("HistoryPruning %v: a move that has always failed is skipped: %v", on, got)
		}
	}
}
