package search

import (
	"qhsh/engine"
	"qhsh/engine/xiangqi"
)

// proofMargin is how many plies an iteration must look beyond a mate before the mate counts as the
// shortest, because pruning may hide a shorter one. With 8, one of 3,117 mates from real games was
// a move too long.
const proofMargin = 10

// run runs one search. It yields the lines after each iteration, and once more if an interrupted
// one has changed them. The error is the cause of a context that means to give up.
func (w *worker) run(b *budget, root *xiangqi.Position, moves []engine.Move, lim engine.Limits, yield func([]engine.Line, error) bool) error {
	w.prepare(b, root, moves, lim)
	last := maxDepth
	if lim.Depth > 0 {
		last = min(last, lim.Depth)
	}
	for w.depth = 1; w.depth <= last; w.depth++ {
		w.selDepth = 0
		w.searchIteration()
		if b.stopped {
			break
		}
		w.roots.changed = false
		if !yield(w.completed(w.roots.lines(b.total())), nil) {
			return nil
		}
		if w.roots.allMatesProven(w.depth) {
			break
		}
	}
	if err := engine.AbortCause(b.ctx); err != nil {
		return err
	}
	if b.stopped {
		w.roots.mergePartial(w.depth)
		w.scoreUnsearched()
	}
	if w.roots.changed {
		yield(w.completed(w.roots.lines(b.total())), nil)
	}
	return nil
}

// prepare initializes a search.
func (w *worker) prepare(b *budget, root *xiangqi.Position, moves []engine.Move, lim engine.Limits) {
	w.budget, w.board = b, root.Board()
	w.history.age()
	w.evaluator.Reset(w.board)
	w.stack[0].keys = newKeys(w.board)
	w.nmpMinPly, w.proof = 0, false
	w.initEndRules()
	// Every node except the root clears those two plies ahead, so the counts of plies 1 and 2
	// accumulate over a search.
	for ply := range 3 {
		w.stack[ply].killers = [2]xiangqi.Move{}
		w.stack[ply].cutoffCount, w.stack[ply].excludedMove = 0, 0
	}
	w.stack[0].rawEval, w.stack[0].eval = noEval, noEval
	w.stack[0].inCheck, w.stack[0].improving = w.board.InCheck(), true
	if !w.stack[0].inCheck {
		w.evaluate(&w.stack[0], entry{}, false)
	}
	w.roots.begin(moves, lim)
	ttEntry, _ := w.table.probe(w.board.Key(), 0)
	w.roots.sortBy(func(m xiangqi.Move) int32 {
		if m == ttEntry.move {
			return 1 << 30
		}
		return w.rootOrderKey(m)
	})
}

// scoreUnsearched gives the best move the evaluation of the root, if the budget has ended within the
// first move: its checks and captures may take hundreds of nodes. The depth is that of the iteration:
// XBoard has no other way to say that a score is known.
func (w *worker) scoreUnsearched() {
	if best := &w.roots.moves[0]; best.score == noScore {
		w.evaluate(&w.stack[0], entry{}, false)
		best.score, best.depth = w.stack[0].eval, w.depth
	}
}
