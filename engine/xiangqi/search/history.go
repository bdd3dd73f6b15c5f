package search

import "qhsh/engine/xiangqi"

// A history remembers which moves have cut before, whatever the position: quiet
// moves by themselves and as an answer or a sequel to what was played before them,
// captures by what they take. It orders moves and measures how far a late one may be
// reduced. Every entry lies between -historyMax and historyMax.
type history struct {
	quiet        [2][90 * 128]int16      // by side and move
	capture      [16][90][8]int16        // by piece, point and kind of the victim
	counter      [16][90]xiangqi.Move    // the move that refuted a piece's move to a point
	continuation [16 * 90]pieceToHistory // by an earlier move's piece and point
	epoch        uint32                  // of the rows
	fresh        bool                    // nothing has been searched since forget
}

// A row is the history of all quiet moves after one earlier move, by piece and
// point. A row of another epoch counts as zero: the rows are too many to clear them
// all before a short search.
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

// age halves what earlier searches found of moves by themselves.
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

// continuationAfter is the row of a move.
func (h *history) continuationAfter(p xiangqi.Piece, to xiangqi.Square) *pieceToHistory {
	r := &h.continuation[pieceTo(p, to)]
	if r.epoch != h.epoch {
		r.v = [16 * 90]int16{}
		r.epoch = h.epoch
	}
	return r
}

// pieceTo is the index of a piece's move to a point.
func pieceTo(p xiangqi.Piece, to xiangqi.Square) int { return int(p&15)*90 + int(to) }

// updateEntry moves an entry by a bonus; the nearer the end of its range, the less.
func updateEntry(entry *int16, bonus int) {
	v := int(*entry)
	*entry = int16(v + bonus - v*max(bonus, -bonus)/historyMax)
}

// statBonus is what a node of a depth teaches.
func statBonus(depth int) int { return min(16*depth*depth+128*depth, 1800) }

// updateHistories notes that a move cut a node of this depth after others had failed.
func (w *worker) updateHistories(ply, depth int, best xiangqi.Move) {
	f := &w.stack[ply]
	bonus := statBonus(depth)
	if w.quiet(best) {
		w.updateQuietStats(ply, best, bonus)
		for _, m := range f.picker.quiets[:f.picker.quietCount] {
			if m != best {
				w.updateQuietHistories(ply, m, -bonus)
			}
		}
	} else {
		w.updateCaptureHistory(best, bonus)
	}
	for _, m := range f.picker.captures[:f.picker.captureCount] {
		if m != best {
			w.updateCaptureHistory(m, -bonus)
		}
	}
}

// updateQuietStats notes that a quiet move cut.
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

// updateQuietHistories moves all that is known of a quiet move at a ply.
func (w *worker) updateQuietHistories(ply int, m xiangqi.Move, bonus int) {
	w.updateQuietHistoriesOf(ply, w.board.Side(), w.board.At(m.From()), m, bonus)
}

// updateQuietHistoriesOf is adjustQuiet for a piece that need not stand where the move begins.
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

func (w *worker) updateCaptureHistory(m xiangqi.Move, bonus int) {
	if !w.options.CaptureHistory {
		return
	}
	victim := w.board.At(m.To()).Kind()
	updateEntry(&w.history.capture[w.board.At(m.From())&15][m.To()][victim&7], bonus)
}

// A quietScorer is all that is known of the quiet moves of a node: of each by itself,
// and after the moves before it, the last of which counts twice.
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

// score is what is known of a piece's move.
func (h *quietScorer) score(p xiangqi.Piece, m xiangqi.Move) int {
	v := 2 * int(h.butterfly[p.Side()&1][m])
	if h.continuation {
		at := pieceTo(p, m.To())
		v += 2*int(h.ply1.v[at]) + int(h.ply2.v[at]) + int(h.ply4.v[at])
	}
	return v
}

// quietHistory is what is known of one quiet move at a ply.
func (w *worker) quietHistory(ply int, p xiangqi.Piece, m xiangqi.Move) int {
	h := w.quietScorerAt(ply)
	return h.score(p, m)
}

// captureHistory is what is known of a capture.
func (w *worker) captureHistory(p, victim xiangqi.Piece, to xiangqi.Square) int {
	return int(w.history.capture[p&15][to][victim.Kind()&7])
}

// historyBonus tells the move that led to a node which failed low that it was good.
func (w *worker) historyBonus(ply, depth int) {
	before := w.frameBefore(ply, 1)
	if !w.options.Praise || before.move == 0 || before.capture {
		return
	}
	w.updateQuietHistoriesOf(ply-1, w.board.Side().Other(), before.piece, before.move, statBonus(depth)/2)
}
