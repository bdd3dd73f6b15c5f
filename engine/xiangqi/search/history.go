package search

import "qhsh/engine/xiangqi"

// A history remembers which quiet moves have cut before, whatever the position: how
// often a piece's move to a point did, and what answered a given move. It orders
// moves and measures how far a late one may be reduced.
type history struct {
	quiet   [16][90]int16        // by piece and point, -historyMax to historyMax
	counter [16][90]xiangqi.Move // the move that refuted a piece's move to a point
}

const historyMax = 1 << 14

// age halves what earlier searches found.
func (h *history) age() {
	for p := range h.quiet {
		for sq := range h.quiet[p] {
			h.quiet[p][sq] /= 2
		}
	}
}

// adjust moves an entry by a bonus; the nearer the end of its range, the less.
func (h *history) adjust(p xiangqi.Piece, to xiangqi.Square, bonus int) {
	v := int(h.quiet[p][to])
	h.quiet[p][to] = int16(v + bonus - v*max(bonus, -bonus)/historyMax)
}

// learn notes that a quiet move cut a node of this depth after others had failed.
func (w *worker) learn(ply, depth int, best xiangqi.Move, failed []xiangqi.Move) {
	f, h := &w.stack[ply], &w.history
	if f.killers[0] != best {
		f.killers[1], f.killers[0] = f.killers[0], best
	}
	bonus := min(16*depth*depth+32*depth, 1600)
	h.adjust(w.board.At(best.From()), best.To(), bonus)
	for _, m := range failed {
		h.adjust(w.board.At(m.From()), m.To(), -bonus)
	}
	if before := w.before(ply); before.move != 0 {
		h.counter[before.piece][before.move.To()] = best
	}
}

// before is the frame of the move that led to a ply; at the root one without a
// move.
func (w *worker) before(ply int) *frame {
	if ply == 0 {
		return &w.stack[maxPly+1]
	}
	return &w.stack[ply-1]
}
