package search

import (
	"testing"

	"qhsh/engine"
	"qhsh/engine/xiangqi"
)

// begun returns a worker that has started a search of the start position.
func begun(t *testing.T, o Options) *worker {
	t.Helper()
	o, err := o.checked()
	if err != nil {
		t.Fatal(err)
	}
	w := newWorker(o, newTable(1))
	w.prepare(newBudget(t.Context(), engine.Limits{}), xiangqi.Start(), xiangqi.Start().Moves(), engine.Limits{})
	w.depth = nullVerifyDepth
	return w
}

// A null move cutoff is verified from some depth on, and only with NullVerify.
func TestNullVerify(t *testing.T) {
	nodes := func(verify bool, depth int) int64 {
		w := begun(t, Options{NullVerify: verify})
		if _, ok := w.nullMoveSearch(0, depth, -1000, 0); !ok {
			t.Errorf("depth %d, NullVerify %v: no null move cutoff", depth, verify)
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

// With HistoryPruning a quiet move with the worst history is skipped.
func TestHistoryPruning(t *testing.T) {
	for _, on := range []bool{true, false} {
		w := begun(t, Options{HistoryPruning: on})
		m := w.board.AppendQuiets(nil)[0]
		if w.skipQuiet(0, 2, 0, 2, m) {
			t.Errorf("HistoryPruning %v: a move without history is skipped", on)
		}
		w.history.quiet[w.board.Side()][m] = -historyMax
		if got := w.skipQuiet(0, 2, 0, 2, m); got != on {
			t.Errorf("HistoryPruning %v: a move with the worst history is skipped: %v", on, got)
		}
	}
}
