package search

import (
	"qhsh/engine/alphabeta"
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
	*alphabeta.Budget
	table   *alphabeta.Table[bucket]
	history history
	stack   [maxPly + 1]frame
	actions []quoridor.Action
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
	if winner, over := f.board.Winner(); over {
		if winner == f.board.Turn() {
			return alphabeta.Win - ply
		}
		return -alphabeta.Win + ply
	}
	if depth <= 0 || ply >= maxPly {
		return evaluate(&f.board)
	}
	ttEntry, ok := w.table.Probe(f.board.Key(), ply)
	if ok && beta-alpha == 1 && int(ttEntry.Depth) >= depth && ttEntry.AllowsCutoff(alpha, beta) {
		return int(ttEntry.Score)
	}
	f.moves = w.appendMoves(f.moves[:0], ply, quoridor.Action(ttEntry.Move))
	best, found := w.searchMoves(ply, depth, alpha, beta)
	if w.Stopped {
		return best
	}
	found.Depth = int8(depth)
	w.store(f.board.Key(), ply, found)
	return best
}

// searchMoves searches a node's moves.
func (w *worker) searchMoves(ply, depth, alpha, beta int) (best int, found alphabeta.Entry) {
	f := &w.stack[ply]
	best, found.Bound = -alphabeta.Infinity, alphabeta.UpperBound
	for i := range f.moves {
		a := alphabeta.PickBest(f.moves, i)
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
		found.Move, found.Bound = uint16(a), alphabeta.Exact
		f.pv = append(append(f.pv[:0], a), w.stack[ply+1].pv...)
		if value >= beta {
			found.Bound = alphabeta.LowerBound
			w.reward(ply, depth, i)
			break
		}
	}
	found.Score = int16(best)
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
	f.killer = f.moves[i].Move
	alphabeta.Reward(w.history.at(f.killer), depth)
	for _, c := range f.moves[:i] {
		alphabeta.Punish(w.history.at(c.Move), depth)
	}
}

// A bucket has one entry.
type bucket = [1]alphabeta.Entry

// store stores the result of the node at ply.
func (w *worker) store(key uint64, ply int, found alphabeta.Entry) {
	b, key := w.table.Bucket(key)
	e := &b[0]
	if e.Holds(key) && found.Bound != alphabeta.Exact && found.Depth < e.Depth-2 {
		return // the same position, searched much deeper
	}
	e.Set(key, ply, found)
}
