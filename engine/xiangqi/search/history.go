package search

import "qhsh/engine/xiangqi"

// A history remembers which moves have cut before, whatever the position: quiet
// moves by themselves and as an answer or a sequel to what was played before them,
// captures by what they take. It orders moves and measures how far a late one may be
// reduced. Every entry lies between -historyMax and historyMax.
type history struct {
	quiet   [2][90 * 128]int16   // by side and move
	capture [16][90][8]int16     // by piece, point and kind of the victim
	counter [16][90]xiangqi.Move // the move that refuted a piece's move to a point
	rows    [16 * 90]row         // by an earlier move's piece and point
	epoch   uint32               // of the rows
	fresh   bool                 // nothing has been searched since forget
}

// A row is the history of all quiet moves after one earlier move, by piece and
// point. A row of another epoch counts as zero: the rows are too many to clear them
// all before a short search.
type row struct {
	epoch uint32
	v     [16 * 90]int16
}

const historyMax = 1 << 14

// forget empties the history.
func (h *history) forget() {
	h.fresh = true
	clear(h.quiet[0][:])
	clear(h.quiet[1][:])
	h.capture = [16][90][8]int16{}
	h.counter = [16][90]xiangqi.Move{}
	if h.epoch++; h.epoch == 0 {
		clear(h.rows[:])
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

// after is the row of a move.
func (h *history) after(p xiangqi.Piece, to xiangqi.Square) *row {
	r := &h.rows[place(p, to)]
	if r.epoch != h.epoch {
		r.v = [16 * 90]int16{}
		r.epoch = h.epoch
	}
	return r
}

// place is the index of a piece's move to a point.
func place(p xiangqi.Piece, to xiangqi.Square) int { return int(p&15)*90 + int(to) }

// adjust moves an entry by a bonus; the nearer the end of its range, the less.
func adjust(entry *int16, bonus int) {
	v := int(*entry)
	*entry = int16(v + bonus - v*max(bonus, -bonus)/historyMax)
}

// bonusOf is what a node of a depth teaches.
func bonusOf(depth int) int { return min(16*depth*depth+128*depth, 1800) }

// learn notes that a move cut a node of this depth after others had failed.
func (w *worker) learn(ply, depth int, best xiangqi.Move) {
	f := &w.stack[ply]
	bonus := bonusOf(depth)
	if w.quiet(best) {
		w.learnQuiet(ply, best, bonus)
		for _, m := range f.picker.quiets[:f.picker.quietCount] {
			if m != best {
				w.adjustQuiet(ply, m, -bonus)
			}
		}
	} else {
		w.adjustCapture(best, bonus)
	}
	for _, m := range f.picker.captures[:f.picker.captureCount] {
		if m != best {
			w.adjustCapture(m, -bonus)
		}
	}
}

// learnQuiet notes that a quiet move cut.
func (w *worker) learnQuiet(ply int, m xiangqi.Move, bonus int) {
	f := &w.stack[ply]
	if w.options.Killers && f.killers[0] != m {
		f.killers[1], f.killers[0] = f.killers[0], m
	}
	w.adjustQuiet(ply, m, bonus)
	if before := w.before(ply, 1); w.options.CounterMoves && before.move != 0 {
		w.history.counter[before.piece][before.move.To()] = m
	}
}

// adjustQuiet moves all that is known of a quiet move at a ply.
func (w *worker) adjustQuiet(ply int, m xiangqi.Move, bonus int) {
	w.adjustAfter(ply, w.board.Side(), w.board.At(m.From()), m, bonus)
}

// adjustAfter is adjustQuiet for a piece that need not stand where the move begins.
func (w *worker) adjustAfter(ply int, s xiangqi.Side, p xiangqi.Piece, m xiangqi.Move, bonus int) {
	if w.options.QuietHistory {
		adjust(&w.history.quiet[s][m], bonus)
	}
	if !w.options.Continuation {
		return
	}
	at := place(p, m.To())
	for _, back := range [...]int{1, 2, 4} {
		if before := w.before(ply, back); before.move != 0 {
			adjust(&before.row.v[at], bonus)
		}
	}
}

func (w *worker) adjustCapture(m xiangqi.Move, bonus int) {
	if !w.options.CaptureHistory {
		return
	}
	victim := w.board.At(m.To()).Kind()
	adjust(&w.history.capture[w.board.At(m.From())&15][m.To()][victim&7], bonus)
}

// A quietHistory is all that is known of the quiet moves of a node: of each by itself,
// and after the moves before it, the last of which counts twice.
type quietHistory struct {
	alone    *[2][90 * 128]int16
	sequel   bool
	one, two *row
	four     *row
}

func (w *worker) quietHistoryAt(ply int) quietHistory {
	return quietHistory{
		&w.history.quiet, w.options.Continuation,
		w.before(ply, 1).row, w.before(ply, 2).row, w.before(ply, 4).row,
	}
}

// of is what is known of a piece's move.
func (h *quietHistory) of(p xiangqi.Piece, m xiangqi.Move) int {
	v := 2 * int(h.alone[p.Side()&1][m])
	if h.sequel {
		at := place(p, m.To())
		v += 2*int(h.one.v[at]) + int(h.two.v[at]) + int(h.four.v[at])
	}
	return v
}

// quietHistory is what is known of one quiet move at a ply.
func (w *worker) quietHistory(ply int, p xiangqi.Piece, m xiangqi.Move) int {
	h := w.quietHistoryAt(ply)
	return h.of(p, m)
}

// captureHistory is what is known of a capture.
func (w *worker) captureHistory(p, victim xiangqi.Piece, to xiangqi.Square) int {
	return int(w.history.capture[p&15][to][victim.Kind()&7])
}

// praise tells the move that led to a node which failed low that it was good.
func (w *worker) praise(ply, depth int) {
	before := w.before(ply, 1)
	if !w.options.Praise || before.move == 0 || before.noisy {
		return
	}
	w.adjustAfter(ply-1, w.board.Side().Other(), before.piece, before.move, bonusOf(depth)/2)
}
