package search

import (
	"sync/atomic"

	"qhsh/engine"
	"qhsh/engine/xiangqi"
	"qhsh/engine/xiangqi/eval"
)

// maxDepth is the deepest iteration, maxPly the longest line including extensions and quiescence.
const (
	maxDepth = 64
	maxPly   = 128
)

// A worker is the state of one search thread, allocated once: what it remembers from search to
// search (table, histories), and the state of the running search.
type worker struct {
	options    Options
	table      *table
	history    *history
	correction *correction
	evaluator  eval.Evaluator

	board     *xiangqi.Board
	budget    *budget
	depth     int // of the iteration
	selDepth  int // plies of its longest line
	roots     rootMoves
	listener  atomic.Pointer[listener] // nil: nobody listens
	stack     [maxPly + 3]frame
	sentinel  frame // stands before the root
	pvs       [maxPly + 2]pv
	scratch   [xiangqi.MaxMoves]xiangqi.Move // for a list of moves that are scored at once
	nmpMinPly int                            // no null moves up to this ply; see verifyNullMove
	endRules  endRules
	proof     bool // a game decided by rule has been seen at the root; see repetitionScore
}

// A listener is told the progress of searches; see Engine.Narrate.
type listener struct {
	from int64 // nodes
	tell func(engine.Progress)
}

// A frame is the state of a node, by its distance from the root (Stockfish's Stack).
type frame struct {
	keys         nodeKeys
	rawEval      int // static evaluation, or noEval in check
	eval         int // rawEval with the correction history added
	inCheck      bool
	ttCapture    bool            // the TT move is a capture
	pv           bool            // the position is in a PV, or has been
	improving    bool            // the evaluation is better than at the side's last move
	move         xiangqi.Move    // the move being searched; 0: a null move
	piece        xiangqi.Piece   // the piece that moves
	capture      bool            // the move captures
	continuation *pieceToHistory // continuation history after the move
	excludedMove xiangqi.Move    // not to be searched; see singularExtension
	reduction    int             // plies by which the move being searched is reduced
	cutoffCount  int             // number of cutoffs among the children of the node before
	killers      [2]xiangqi.Move
	picker       movePicker
}

// A pv is the principal variation from a node.
type pv struct {
	length int
	moves  [maxPly]xiangqi.Move
}

// update sets the PV to a move followed by the child's PV.
func (l *pv) update(m xiangqi.Move, rest *pv) {
	l.moves[0] = m
	l.length = 1 + copy(l.moves[1:], rest.moves[:rest.length])
}

func newWorker(o Options, t *table) *worker {
	h := make([]history, 1) // megabytes
	useHugePages(h)
	w := &worker{options: o, table: t, history: &h[0], correction: new(correction), evaluator: o.evaluator()}
	w.clear()
	return w
}

// clear clears everything remembered except the table.
func (w *worker) clear() {
	w.history.clear()
	*w.correction = correction{}
	w.sentinel.continuation = w.history.continuationAfter(xiangqi.Empty, 0)
	for i := range w.stack {
		w.stack[i].continuation = w.sentinel.continuation
	}
}

// frameBefore returns the frame so many plies before a node, or the sentinel before the root.
func (w *worker) frameBefore(ply, back int) *frame {
	if ply < back {
		return &w.sentinel
	}
	return &w.stack[ply-back]
}

// makeMove makes a move and reports whether the budget had a node left for it.
func (w *worker) makeMove(ply int, m xiangqi.Move) bool {
	if !w.budget.spend() {
		return false
	}
	w.selDepth = max(w.selDepth, ply+1)
	w.table.prefetch(w.board.KeyAfter(m))
	f, next := &w.stack[ply], &w.stack[ply+1]
	piece, taken := w.board.At(m.From()), w.board.At(m.To())
	f.move, f.piece, f.capture = m, piece, taken != xiangqi.Empty
	f.continuation = w.history.continuationAfter(piece, m.To())
	next.keys = f.keys.after(piece, taken, m)
	w.evaluator.Make(m)
	w.board.Do(m)
	return true
}

// unmakeMove takes back the move of makeMove.
func (w *worker) unmakeMove() {
	w.board.Undo()
	w.evaluator.Unmake()
}

// makeNullMove passes and reports whether the budget had a node left for it.
func (w *worker) makeNullMove(ply int) bool {
	if !w.budget.spend() {
		return false
	}
	f, next := &w.stack[ply], &w.stack[ply+1]
	f.move, f.piece, f.capture = 0, xiangqi.Empty, false
	f.continuation = w.sentinel.continuation
	next.keys = f.keys.afterPass()
	w.board.Pass()
	return true
}

// dampingPlies is the number of plies without a capture after which nothing would be left of an
// evaluation. The game is drawn before, and play beyond the limit counts as at the limit.
const dampingPlies = 240

// evaluate sets a node's static evaluation, from the TT entry if it has one.
func (w *worker) evaluate(f *frame, ttEntry entry, ttHit bool) {
	if ttHit && ttEntry.eval != noEval {
		f.rawEval = ttEntry.eval
	} else {
		f.rawEval = w.staticEval()
	}
	f.eval = f.rawEval
	if w.options.QuietDamping {
		f.eval -= f.eval * min(w.board.QuietPlies(), w.options.Rules.QuietPlies()) / dampingPlies
	}
	if w.options.Correction {
		f.eval = w.correction.apply(f.eval, w.board.Side(), w.correctionKeys(f))
	}
}

// correctionKeys returns the keys of a node's corrections.
func (w *worker) correctionKeys(f *frame) []uint32 {
	if w.options.MoveCorrection {
		return f.keys[:]
	}
	return f.keys[:groups]
}

// staticEval returns the evaluator's score of the board, clamped to eval.Limit.
func (w *worker) staticEval() int { return max(-eval.Limit, min(eval.Limit, w.evaluator.Evaluate())) }

// improving reports whether the evaluation is better than at the side's last move.
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
