package search

import "qhsh/engine/checkers"

// A scoredMove is a move with its score for ordering.
type scoredMove struct {
	move  checkers.Move
	order int32
}

// history has a score for each colour, from and to square: how often such moves caused cutoffs.
type history [2][1 << 12]int32

const historyLimit = 1 << 14

// reward and punish keep scores within historyLimit.
func reward(n *int32, depth int) {
	bonus := int32(min(depth*depth*16, historyLimit/4))
	*n += bonus - *n*bonus/historyLimit
}

func punish(n *int32, depth int) {
	bonus := int32(min(depth*depth*16, historyLimit/4))
	*n -= bonus + *n*bonus/historyLimit
}

func (h *history) age() {
	for c := range h {
		for i := range h[c] {
			h[c][i] /= 2
		}
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

// pickBest swaps the best of the moves from i on to index i and returns it.
func pickBest(choices []scoredMove, i int) checkers.Move {
	best := i
	for j := i + 1; j < len(choices); j++ {
		if choices[j].order > choices[best].order {
			best = j
		}
	}
	choices[i], choices[best] = choices[best], choices[i]
	return choices[i].move
}
