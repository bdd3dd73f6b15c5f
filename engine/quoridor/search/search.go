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
}

// worker runs searches.
type worker struct {
	alphabeta.Tree[quoridor.Action]
	table   *alphabeta.Table[bucket]
	history history
	stack   [maxPly + 1]frame
	actions []quoridor.Action
}

// Do plays an action at ply, for the node at the next.
func (w *worker) Do(ply int, a quoridor.Action) {
	child := &w.stack[ply+1]
	child.board = w.stack[ply].board
	child.board.Do(a)
}

// Node returns the value of the node at ply.
func (w *worker) Node(ply, depth, alpha, beta int) int {
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
	best, found := w.Moves(ply, depth, depth-1, alpha, beta, f.moves)
	if w.Stopped {
		return best
	}
	found.Depth = int8(depth)
	w.store(f.board.Key(), ply, found)
	return best
}

// Reduction returns the late move reduction of move number i.
func (w *worker) Reduction(_, left, i int) int {
	if left < 2 || i < 4 {
		return 0
	}
	return 1 + i/16
}

// Cut updates the histories after move number i caused a cutoff.
func (w *worker) Cut(ply, depth, i int) {
	f := &w.stack[ply]
	f.killer = f.moves[i].Move
	alphabeta.Reward(w.history.at(f.killer), depth, 1)
	for _, c := range f.moves[:i] {
		alphabeta.Reward(w.history.at(c.Move), depth, -1)
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
