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
	options Options
	table   *table
	history history

	board  *xiangqi.Board
	budget *budget
	depth  int // of the iteration
	roots  roots
	stack  [maxPly + 2]frame
	lines  [maxPly + 2]line
}

// A frame is what a node keeps for itself, by its distance from the root.
type frame struct {
	acc     eval.Acc
	eval    int           // static evaluation, or noEval in check
	move    xiangqi.Move  // the move that is being searched from here; 0: a null move
	piece   xiangqi.Piece // the piece that makes it
	killers [2]xiangqi.Move
	picker  picker
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

func newWorker(o Options) *worker {
	return &worker{options: o, table: newTable(o.Hash)}
}

// forget empties what is remembered.
func (w *worker) forget() {
	w.table.forget()
	w.history = history{}
}

// enter makes a move; false if the budget has no node left for it.
func (w *worker) enter(ply int, m xiangqi.Move) bool {
	if !w.budget.spend() {
		return false
	}
	f := &w.stack[ply]
	f.move, f.piece = m, w.board.At(m.From())
	w.stack[ply+1].acc = f.acc.After(w.board, m)
	w.board.Do(m)
	return true
}

// pass makes a null move; false if the budget has no node left for it.
func (w *worker) pass(ply int) bool {
	if !w.budget.spend() {
		return false
	}
	f := &w.stack[ply]
	f.move, f.piece = 0, xiangqi.Empty
	w.stack[ply+1].acc = f.acc
	w.board.Pass()
	return true
}

// evaluate is the static evaluation, or what the table remembers of it.
func (w *worker) evaluate(f *frame, known entry, hit bool) int {
	if hit && known.eval != noEval {
		return known.eval
	}
	return eval.Score(w.board, f.acc)
}

// repeated is the score of a position that has occurred before.
func (w *worker) repeated(ply int) (int, bool) {
	if w.board.Occurrences() == 0 {
		return 0, false
	}
	if w.options.Chases {
		verdict, ok := w.board.RepetitionUnder(xiangqi.Asian)
		return int(verdict) * (ruleScore - ply), ok
	}
	verdict, ok := w.board.Repetition()
	return int(verdict) * (ruleScore - ply), ok
}
