package search

import "qhsh/engine/quoridor"

// frame is what a search holds of a node.
type frame struct {
	board   quoridor.Board
	killer  quoridor.Action
	choices []choice
	line    []quoridor.Action // the best line from here
}

// worker runs searches.
type worker struct {
	*budget
	table   *table
	history history
	stack   [maxPly + 1]frame
	actions []quoridor.Action
	roots   roots
}

func (w *worker) forget() {
	w.table.forget()
	w.history = history{}
	for i := range w.stack {
		w.stack[i].killer = 0
	}
}

// enter plays an action at ply, for a node at the next; false if the budget is spent.
func (w *worker) enter(ply int, a quoridor.Action) bool {
	if !w.spend() {
		return false
	}
	child := &w.stack[ply+1]
	child.board = w.stack[ply].board
	child.board.Do(a)
	child.line = child.line[:0]
	return true
}

// node returns the value of the node at ply, for the side to move there, within the window.
// What it answers after the budget is spent means nothing.
func (w *worker) node(ply, depth, alpha, beta int) int {
	f := &w.stack[ply]
	if value, ok := over(&f.board, ply); ok {
		return value
	}
	if depth <= 0 || ply >= maxPly {
		return evaluate(&f.board)
	}
	known, ok := w.table.probe(f.board.Key(), ply)
	if ok && beta-alpha == 1 && int(known.depth) >= depth && known.decides(alpha, beta) {
		return int(known.score)
	}
	f.choices = w.appendChoices(f.choices[:0], ply, known.move)
	best, found := w.children(ply, depth, alpha, beta)
	if w.stopped {
		return best
	}
	found.depth = int8(depth)
	w.table.store(f.board.Key(), ply, found)
	return best
}

// decides reports whether an entry's score settles a node.
func (e entry) decides(alpha, beta int) bool {
	switch e.bound {
	case exact:
		return true
	case atLeast:
		return int(e.score) >= beta
	case atMost:
		return int(e.score) <= alpha
	}
	return false
}

// children looks at a node's choices.
func (w *worker) children(ply, depth, alpha, beta int) (best int, found entry) {
	f := &w.stack[ply]
	best, found.bound = -infinite, atMost
	for i := range f.choices {
		a := next(f.choices, i)
		if !w.enter(ply, a) {
			break
		}
		value := w.child(ply, depth, i, alpha, beta)
		if w.stopped {
			break
		}
		if value <= best {
			continue
		}
		best = value
		if value <= alpha {
			continue
		}
		alpha = value
		found.move, found.bound = a, exact
		f.line = append(append(f.line[:0], a), w.stack[ply+1].line...)
		if value >= beta {
			found.bound = atLeast
			w.reward(ply, depth, i)
			break
		}
	}
	found.score = int16(best)
	return best, found
}

// child returns the value, for the side to move at ply, of the node that was just entered with
// the choice number i.
func (w *worker) child(ply, depth, i, alpha, beta int) int {
	if i == 0 {
		return -w.node(ply+1, depth-1, -beta, -alpha)
	}
	less := 0
	if depth >= 3 && i >= 4 {
		less = 1 + i/16
	}
	value := -w.node(ply+1, depth-1-less, -alpha-1, -alpha)
	if value > alpha && less > 0 && !w.stopped {
		value = w.again(ply, depth, alpha, alpha+1)
	}
	if value > alpha && value < beta && !w.stopped {
		value = w.again(ply, depth, alpha, beta)
	}
	return value
}

// again looks at the node after ply once more, which was entered before.
func (w *worker) again(ply, depth, alpha, beta int) int {
	w.stack[ply+1].line = w.stack[ply+1].line[:0]
	return -w.node(ply+1, depth-1, -beta, -alpha)
}

// reward remembers the choice number i, which was too good, and those before it.
func (w *worker) reward(ply, depth, i int) {
	f := &w.stack[ply]
	f.killer = f.choices[i].action
	w.history.reward(f.killer, depth)
	for _, c := range f.choices[:i] {
		w.history.punish(c.action, depth)
	}
}
