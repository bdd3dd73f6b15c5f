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

	board     *xiangqi.Board
	budget    *budget
	depth     int // of the iteration
	roots     rootMoves
	stack     [maxPly + 3]frame
	sentinel  frame // stands before the root
	pvs       [maxPly + 2]pv
	scratch   [xiangqi.MaxMoves]xiangqi.Move // for a list of moves that are ranked at once
	nmpMinPly int                            // up to this ply nobody passes; see verify
	endRules  endRules
}

// A frame is what a node keeps for itself, by its distance from the root.
type frame struct {
	keys         pieceKeys
	rawEval      int // static evaluation, or noEval in check
	eval         int // the same, corrected by experience
	inCheck      bool
	improving    bool            // the side to move stands better than at its last move
	move         xiangqi.Move    // the move that is being searched from here; 0: a null move
	piece        xiangqi.Piece   // the piece that makes it
	capture      bool            // it takes something
	continuation *pieceToHistory // the history after it
	excludedMove xiangqi.Move    // not to be searched here; see singular
	cutoffCount  int             // how many children of the node before cut
	killers      [2]xiangqi.Move
	picker       movePicker
}

// A line is the best continuation from a node.
type pv struct {
	length int
	moves  [maxPly]xiangqi.Move
}

// update is a move and the line that answers it.
func (l *pv) update(m xiangqi.Move, rest *pv) {
	l.moves[0] = m
	l.length = 1 + copy(l.moves[1:], rest.moves[:rest.length])
}

func newWorker(o Options, t *table) *worker {
	w := &worker{options: o, table: t, history: new(history), correction: new(correction), evaluator: o.evaluator()}
	w.clear()
	return w
}

// clear empties what is remembered, but for the table.
func (w *worker) clear() {
	w.history.clear()
	*w.correction = correction{}
	w.sentinel.continuation = w.history.continuationAfter(xiangqi.Empty, 0)
	for i := range w.stack {
		w.stack[i].continuation = w.sentinel.continuation
	}
}

// frameBefore is the frame of the move so many plies before a node; one without a move
// where the root comes first.
func (w *worker) frameBefore(ply, back int) *frame {
	if ply < back {
		return &w.sentinel
	}
	return &w.stack[ply-back]
}

// makeMove makes a move; false if the budget has no node left for it.
func (w *worker) makeMove(ply int, m xiangqi.Move) bool {
	if !w.budget.spend() {
		return false
	}
	f, next := &w.stack[ply], &w.stack[ply+1]
	piece, taken := w.board.At(m.From()), w.board.At(m.To())
	f.move, f.piece, f.capture = m, piece, taken != xiangqi.Empty
	f.continuation = w.history.continuationAfter(piece, m.To())
	next.keys = f.keys.after(piece, taken, m)
	w.evaluator.Make(m)
	w.board.Do(m)
	return true
}

// unmakeMove takes back the move that enter made.
func (w *worker) unmakeMove() {
	w.board.Undo()
	w.evaluator.Unmake()
}

// makeNullMove makes a null move; false if the budget has no node left for it.
func (w *worker) makeNullMove(ply int) bool {
	if !w.budget.spend() {
		return false
	}
	f, next := &w.stack[ply], &w.stack[ply+1]
	f.move, f.piece, f.capture = 0, xiangqi.Empty, false
	f.continuation = w.sentinel.continuation
	next.keys = f.keys
	w.board.Pass()
	return true
}

// evaluate sets a node's static evaluation, by what the table remembers of it if
// it does.
func (w *worker) evaluate(f *frame, ttEntry entry, ttHit bool) {
	if ttHit && ttEntry.eval != noEval {
		f.rawEval = ttEntry.eval
	} else {
		f.rawEval = w.staticEval()
	}
	f.eval = f.rawEval
	if w.options.Correction {
		f.eval = w.correction.apply(f.rawEval, w.board.Side(), f.keys)
	}
}

// staticEval is what the evaluator says of the position on the board.
func (w *worker) staticEval() int { return max(-eval.Limit, min(eval.Limit, w.evaluator.Evaluate())) }

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
