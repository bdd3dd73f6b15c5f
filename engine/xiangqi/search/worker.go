package search

import (
	"qhsh/engine/xiangqi"
	"qhsh/engine/xiangqi/eval"
)

// maxDepth is the deepest iteration, maxPly the longest line, extensions and
// quiescence included.
const (
	maxDepth = 64
	maxPly   = 128
)

// A worker is all that one thread of a search needs, allocated once: what it
// remembers from search to search (table, history), and the state of the search
// that runs.
type worker struct {
	options    Options
	table      *table
	history    *history
	correction *correction
	evaluator  eval.Evaluator

	board   *xiangqi.Board
	budget  *budget
	depth   int // of the iteration
	roots   roots
	stack   [maxPly + 3]frame
	nobody  frame // stands before the root
	lines   [maxPly + 2]line
	scratch [xiangqi.MaxMoves]xiangqi.Move // for a list of moves that are ranked at once
	alone   int                            // up to this ply nobody passes; see verify
	ends    endings
}

// A frame is what a node keeps for itself, by its distance from the root.
type frame struct {
	keys      pieceKeys
	raw       int // static evaluation, or noEval in check
	eval      int // the same, corrected by experience
	inCheck   bool
	improving bool          // the side to move stands better than at its last move
	move      xiangqi.Move  // the move that is being searched from here; 0: a null move
	piece     xiangqi.Piece // the piece that makes it
	noisy     bool          // it takes something
	row       *row          // the history after it
	excluded  xiangqi.Move  // not to be searched here; see singular
	cutoffs   int           // how many children of the node before cut
	killers   [2]xiangqi.Move
	picker    picker
}

// A line is the best continuation from a node.
type line struct {
	count int
	moves [maxPly]xiangqi.Move
}

// begin is a move and the line that answers it.
func (l *line) begin(m xiangqi.Move, rest *line) {
	l.moves[0] = m
	l.count = 1 + copy(l.moves[1:], rest.moves[:rest.count])
}

func newWorker(o Options, t *table) *worker {
	w := &worker{options: o, table: t, history: new(history), correction: new(correction), evaluator: o.evaluator()}
	w.forget()
	return w
}

// forget empties what is remembered, but for the table.
func (w *worker) forget() {
	w.history.forget()
	*w.correction = correction{}
	w.nobody.row = w.history.after(xiangqi.Empty, 0)
	for i := range w.stack {
		w.stack[i].row = w.nobody.row
	}
}

// before is the frame of the move so many plies before a node; one without a move
// where the root comes first.
func (w *worker) before(ply, back int) *frame {
	if ply < back {
		return &w.nobody
	}
	return &w.stack[ply-back]
}

// enter makes a move; false if the budget has no node left for it.
func (w *worker) enter(ply int, m xiangqi.Move) bool {
	if !w.budget.spend() {
		return false
	}
	f, next := &w.stack[ply], &w.stack[ply+1]
	piece, taken := w.board.At(m.From()), w.board.At(m.To())
	f.move, f.piece, f.noisy = m, piece, taken != xiangqi.Empty
	f.row = w.history.after(piece, m.To())
	next.keys = f.keys.after(piece, taken, m)
	w.evaluator.Make(m)
	w.board.Do(m)
	return true
}

// leave takes back the move that enter made.
func (w *worker) leave() {
	w.board.Undo()
	w.evaluator.Unmake()
}

// pass makes a null move; false if the budget has no node left for it.
func (w *worker) pass(ply int) bool {
	if !w.budget.spend() {
		return false
	}
	f, next := &w.stack[ply], &w.stack[ply+1]
	f.move, f.piece, f.noisy = 0, xiangqi.Empty, false
	f.row = w.nobody.row
	next.keys = f.keys
	w.board.Pass()
	return true
}

// evaluate sets a node's static evaluation, by what the table remembers of it if
// it does.
func (w *worker) evaluate(f *frame, known entry, hit bool) {
	if hit && known.eval != noEval {
		f.raw = known.eval
	} else {
		f.raw = w.static()
	}
	f.eval = f.raw
	if w.options.Correction {
		f.eval = w.correction.correct(f.raw, w.board.Side(), f.keys)
	}
}

// static is what the evaluator says of the position on the board.
func (w *worker) static() int { return max(-eval.Limit, min(eval.Limit, w.evaluator.Evaluate())) }

// improving reports whether the side to move stands better than at its last move.
func (w *worker) improving(ply int) bool {
	v := w.stack[ply].eval
	if !w.options.Improving {
		return true
	}
	if v == noEval {
		return false
	}
	for _, back := range [...]int{2, 4} {
		if ply >= back && w.stack[ply-back].eval != noEval {
			return v > w.stack[ply-back].eval
		}
	}
	return true
}
