package search

import (
	"qhsh/engine"
	"qhsh/engine/alphabeta"
	"qhsh/engine/quoridor"
)

// Check returns an error if pos is not of Quoridor.
func (w *worker) Check(pos engine.Position) error {
	if root, ok := pos.(*quoridor.Position); !ok || root == nil {
		return engine.OtherGame(pos, quoridor.Default)
	}
	return nil
}

// Begin prepares a search.
func (w *worker) Begin(b *alphabeta.Budget, pos engine.Position, moves []engine.Move) []alphabeta.RootMove {
	board := pos.(*quoridor.Position).Board()
	w.Budget = b
	alphabeta.Age(w.history[:])
	w.stack[0].board = board
	info := newNodeInfo(&board)
	ttEntry, _ := w.table.Probe(board.Key(), 0)
	static := evaluate(&board)
	roots := make([]alphabeta.RootMove, len(moves))
	for i, m := range moves {
		a := quoridor.Action(m)
		r := alphabeta.RootMove{Move: m, Order: w.moveScore(&info, a), Score: static}
		if uint16(a) == ttEntry.Move {
			r.Order = 1 << 30
		}
		if a.Kind() != quoridor.Step && !info.worthSearching(a) {
			r.Reduction = 2
		}
		roots[i] = r
	}
	return roots
}

// Forget clears the tables.
func (w *worker) Forget() {
	w.table.Forget()
	w.history = history{}
	for i := range w.stack {
		w.stack[i].killer = 0
	}
}
