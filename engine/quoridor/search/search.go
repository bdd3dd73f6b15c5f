package search

import (
	"qhsh/engine/budget"
	"qhsh/engine/quoridor"
)

// A frame is the state of a node.
type frame struct {
	board  quoridor.Board
	killer quoridor.Action
	moves  []scoredMove
	pv     []quoridor.Action // the best line from here
}

// worker runs searches.
type worker struct {
	*budget.Budget
	table   *table
	history history
	stack   [maxPly + 1]frame
	actions []quoridor.Action
	roots   rootMoves
}

func (w *worker) clear() {
	w.table.clear()
	w.history = history{}
	for i := range w.stack {
		w.stack[i].killer = 0
	}
}

// makeMove plays an action at ply for the node at the next ply, and reports whether the budget had
// a node left.
func (w *worker) makeMove(ply int, a quoridor.Action) bool {
	if !w.Spend() {
		return false
	}
	child := &w.stack[ply+1]
	child.board = w.stack[ply].board
	child.board.Do(a)
	child.pv = child.pv[:0]
	return true
}

// search returns the score of the node at ply, for the side to move. The result is meaningless
// after the budget is spent.
func (w *worker) search(ply, depth, alpha, beta int) int {
	f := &w.stack[ply]
	if value, ok := gameOver(&f.board, ply); ok {
		return value
	}
	if depth <= 0 || ply >= maxPly {
		return evaluate(&f.board)
	}
	ttEntry, ok := w.table.probe(f.board.Key(), ply)
	if ok && beta-alpha == 1 && int(ttEntry.depth) >= depth && ttEntry.causesCutoff(alpha, beta) {
		return int(ttEntry.score)
	}
	f.moves = w.appendMoves(f.moves[:0], ply, ttEntry.move)
	best, found := w.searchMoves(ply, depth, alpha, beta)
	if w.Stopped {
		return best
	}
	found.depth = int8(depth)
	w.table.store(f.board.Key(), ply, found)
	return best
}

// causesCutoff reports whether an entry's score is sufficient for the window.
func (e entry) causesCutoff(alpha, beta int) bool {
	switch e.bound {
	case boundExact:
		return true
	case boundLower:
		return int(e.score) >= beta
	case boundUpper:
		return int(e.score) <= alpha
	}
	return false
}

// searchMoves searches a node's moves.
func (w *worker) searchMoves(ply, depth, alpha, beta int) (best int, found entry) {
	f := &w.stack[ply]
	best, found.bound = -infinity, boundUpper
	for i := range f.moves {
		a := pickBest(f.moves, i)
		if !w.makeMove(ply, a) {
			break
		}
		value := w.searchChild(ply, depth, i, alpha, beta)
		if w.Stopped {
			break
		}
		if value <= best {
			continue
		}
		best = value
		if value <= alpha {
			continue
		}
		alpha = value
		found.move, found.bound = a, boundExact
		f.pv = append(append(f.pv[:0], a), w.stack[ply+1].pv...)
		if value >= beta {
			found.bound = boundLower
			w.reward(ply, depth, i)
			break
		}
	}
	found.score = int16(best)
	return best, found
}

// searchChild returns the score, for the side to move at ply, after move number i, which has been
// made.
func (w *worker) searchChild(ply, depth, i, alpha, beta int) int {
	if i == 0 {
		return -w.search(ply+1, depth-1, -beta, -alpha)
	}
	reduction := 0
	if depth >= 3 && i >= 4 {
		reduction = 1 + i/16
	}
	value := -w.search(ply+1, depth-1-reduction, -alpha-1, -alpha)
	if value > alpha && reduction > 0 && !w.Stopped {
		value = w.research(ply, depth, alpha, alpha+1)
	}
	if value > alpha && value < beta && !w.Stopped {
		value = w.research(ply, depth, alpha, beta)
	}
	return value
}

// research searches the node after ply again.
func (w *worker) research(ply, depth, alpha, beta int) int {
	w.stack[ply+1].pv = w.stack[ply+1].pv[:0]
	return -w.search(ply+1, depth-1, -beta, -alpha)
}

// reward updates the histories after move number i caused a cutoff.
func (w *worker) reward(ply, depth, i int) {
	f := &w.stack[ply]
	f.killer = f.moves[i].move
	w.history.reward(f.killer, depth)
	for _, c := range f.moves[:i] {
		w.history.punish(c.move, depth)
	}
}
