package search

import "qhsh/engine/xiangqi"

// A history has the move ordering statistics: of quiet moves by themselves (butterfly) and after
// the moves before them (continuation), and of captures by the captured piece. It orders moves and
// adjusts reductions. Every entry lies between -historyMax and historyMax.
type history struct {
	quiet        [2][90 * 128]int16      // butterfly history, by side and move
	capture      [16][90][8]int16        // by piece, point and kind of the victim
	counter      [16][90]xiangqi.Move    // the move that refuted a piece's move to a point
	continuation [16 * 90]pieceToHistory // by an earlier move's piece and point
	epoch        uint32                  // of the continuation histories
	fresh        bool                    // nothing has been searched since clear
}

// A pieceToHistory is the continuation history of all quiet moves after one earlier move, by piece
// and point. One of another epoch counts as zero, because there are too many to clear before a
// short search.
type pieceToHistory struct {
	epoch uint32
	v     [16 * 90]int16
}

const historyMax = 1 << 14

// clear empties the history.
func (h *history) clear() {
	h.fresh = true
	clear(h.quiet[0][:])
	clear(h.quiet[1][:])
	h.capture = [16][90][8]int16{}
	h.counter = [16][90]xiangqi.Move{}
	if h.epoch++; h.epoch == 0 {
		clear(h.continuation[:])
		h.epoch = 1
	}
}

// age halves the butterfly history of earlier searches.
func (h *history) age() {
	if h.fresh {
		h.fresh = false
		return
	}
	for s := range h.quiet {
		for i := range h.quiet[s] {
			h.quiet[s][i] /= 2
		}
	}
}

// continuationAfter returns the continuation history after a move.
func (h *history) continuationAfter(p xiangqi.Piece, to xiangqi.Square) *pieceToHistory {
	r := &h.continuation[pieceTo(p, to)]
	if r.epoch != h.epoch {
		r.v = [16 * 90]int16{}
		r.epoch = h.epoch
	}
	return r
}

// pieceTo returns the index of a piece's move to a point.
func pieceTo(p xiangqi.Piece, to xiangqi.Square) int { return int(p&15)*90 + int(to) }

// updateEntry adds a bonus to an entry; the closer to the end of its range, the less.
func updateEntry(entry *int16, bonus int) {
	v := int(*entry)
	*entry = int16(v + bonus - v*max(bonus, -bonus)/historyMax)
}

// statBonus returns the history bonus of a node of a given depth.
func statBonus(depth int) int { return min(16*depth*depth+128*depth, 1800) }

// updateHistories rewards the move that caused a beta cutoff and penalizes the moves tried before
// it, by a fifth more.
func (w *worker) updateHistories(ply, depth int, best xiangqi.Move) {
	f := &w.stack[ply]
	bonus := statBonus(depth)
	penalty := bonus * 6 / 5
	if w.quiet(best) {
		w.updateQuietStats(ply, best, bonus)
		for _, m := range f.picker.quiets[:f.picker.quietCount] {
			if m != best {
				w.updateQuietHistories(ply, m, -penalty)
			}
		}
	} else {
		w.updateCaptureHistory(best, bonus)
	}
	for _, m := range f.picker.captures[:f.picker.captureCount] {
		if m != best {
			w.updateCaptureHistory(m, -penalty)
		}
	}
}

// updateQuietStats rewards a quiet move that caused a cutoff, and makes it a killer and the counter
// move.
func (w *worker) updateQuietStats(ply int, m xiangqi.Move, bonus int) {
	f := &w.stack[ply]
	if w.options.Killers && f.killers[0] != m {
		f.killers[1], f.killers[0] = f.killers[0], m
	}
	w.updateQuietHistories(ply, m, bonus)
	if before := w.frameBefore(ply, 1); w.options.CounterMoves && before.move != 0 {
		w.history.counter[before.piece][before.move.To()] = m
	}
}

// updateQuietHistories adds a bonus to the butterfly and continuation histories of a quiet move at
// a ply.
func (w *worker) updateQuietHistories(ply int, m xiangqi.Move, bonus int) {
	w.updateQuietHistoriesOf(ply, w.board.Side(), w.board.At(m.From()), m, bonus)
}

// updateQuietHistoriesOf is updateQuietHistories for a piece that is no longer on the move's first
// point.
func (w *worker) updateQuietHistoriesOf(ply int, s xiangqi.Side, p xiangqi.Piece, m xiangqi.Move, bonus int) {
	if w.options.QuietHistory {
		updateEntry(&w.history.quiet[s][m], bonus)
	}
	if !w.options.Continuation {
		return
	}
	at := pieceTo(p, m.To())
	for _, back := range [...]int{1, 2, 4} {
		if before := w.frameBefore(ply, back); before.move != 0 {
			updateEntry(&before.continuation.v[at], bonus)
		}
	}
}

// maxEvalBonus is the largest history bonus of a change of the static evaluation.
const maxEvalBonus = 400

// updateEvalHistory rewards the quiet move that led to a node if the static evaluation has become
// better for its side by it, and penalizes it if worse.
func (w *worker) updateEvalHistory(ply int) {
	f, before := &w.stack[ply], w.frameBefore(ply, 1)
	if o := &w.options; !o.EvalHistory || !o.QuietHistory || f.eval == noEval || before.eval == noEval || before.move == 0 || before.capture {
		return
	}
	bonus := max(-maxEvalBonus, min(maxEvalBonus, -2*(f.eval+before.eval)))
	updateEntry(&w.history.quiet[w.board.Side().Other()][before.move], bonus)
}

func (w *worker) updateCaptureHistory(m xiangqi.Move, bonus int) {
	if !w.options.CaptureHistory {
		return
	}
	victim := w.board.At(m.To()).Kind()
	updateEntry(&w.history.capture[w.board.At(m.From())&15][m.To()][victim&7], bonus)
}

// A quietScorer has the histories that score the quiet moves of a node: butterfly, and continuation
// 1, 2 and 4 plies ago. Butterfly counts two and a half times, the first of the others twice.
type quietScorer struct {
	butterfly    *[2][90 * 128]int16
	continuation bool
	ply1, ply2   *pieceToHistory
	ply4         *pieceToHistory
}

func (w *worker) quietScorerAt(ply int) quietScorer {
	return quietScorer{
		&w.history.quiet, w.options.Continuation,
		w.frameBefore(ply, 1).continuation, w.frameBefore(ply, 2).continuation, w.frameBefore(ply, 4).continuation,
	}
}

// score returns the sum of a piece's histories for a move.
func (h *quietScorer) score(p xiangqi.Piece, m xiangqi.Move) int {
	v := 5 * int(h.butterfly[p.Side()&1][m])
	if h.continuation {
		at := pieceTo(p, m.To())
		v += 4*int(h.ply1.v[at]) + 2*int(h.ply2.v[at]) + 2*int(h.ply4.v[at])
	}
	return v / 2
}

// quietHistory returns the score of one quiet move at a ply.
func (w *worker) quietHistory(ply int, p xiangqi.Piece, m xiangqi.Move) int {
	h := w.quietScorerAt(ply)
	return h.score(p, m)
}

// captureHistory returns the history of a capture.
func (w *worker) captureHistory(p, victim xiangqi.Piece, to xiangqi.Square) int {
	return int(w.history.capture[p&15][to][victim.Kind()&7])
}

// historyBonus rewards the move leading to a fail-low node.
func (w *worker) historyBonus(ply, depth int) {
	before := w.frameBefore(ply, 1)
	if !w.options.Praise || before.move == 0 || before.capture {
		return
	}
	w.updateQuietHistoriesOf(ply-1, w.board.Side().Other(), before.piece, before.move, statBonus(depth)/2)
}
