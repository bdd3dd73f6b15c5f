package search

import (
	"qhsh/engine/alphabeta"
	"qhsh/engine/checkers"
)

type scoredMove = alphabeta.ScoredMove[checkers.Move]

// history has a score for each colour, from and to square: how often such moves caused cutoffs.
type history [2][1 << 12]int32

func (h *history) age() {
	for c := range h {
		alphabeta.Age(h[c][:])
	}
}

// moveOrder returns a move's score for ordering: first the move of the table, then captures by
// value, killers, and quiet moves by history.
func (w *worker) moveOrder(f *frame, m checkers.Move, known fromTo) int32 {
	switch {
	case fromToOf(m) == known:
		return 1 << 30
	case m.Captured() != 0:
		return int32(1<<20 + 64*m.Captured().Len() + 64*(m.Captured()&f.board.Kings(f.board.Turn().Other())).Len())
	case m == f.killers[0]:
		return 1 << 18
	case m == f.killers[1]:
		return 1 << 17
	}
	return w.history[f.board.Turn()][fromToOf(m)]
}
