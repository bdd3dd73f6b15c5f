package search

import "qhsh/engine/xiangqi"

// MultiPV needs one pass over the root moves: each of the first moves gets an exact score, and any
// other move has to beat the worst of them. The first move is searched with an aspiration window,
// as with a single line, so that its score is as reliable. The others are searched by zero windows
// with MTD(f), because a PV node costs about ten times as much: nothing is cut off along its line.
// Their lines are read from the table.

// rootScore returns the score of a root move that has been made: for the first move with an
// aspiration window around its last score, for others by zero windows.
func (w *worker) rootScore(i int) int {
	last := w.roots.moves[i].score
	switch {
	case !w.usesMTDF() || last == noScore || isDecided(last):
		return -w.search(1, w.depth-1, -infinity, infinity, false)
	case i > 0:
		return w.mtdf(last)
	}
	delta := w.options.Aspiration
	alpha, beta := last-delta, last+delta
	for {
		v := -w.search(1, w.depth-1, -beta, -alpha, false)
		delta *= 4
		switch {
		case w.budget.stopped:
			return v
		case v <= alpha && alpha > -infinity:
			alpha = widened(alpha-delta, -infinity)
		case v >= beta && beta < infinity:
			beta = widened(beta+delta, infinity)
		default:
			return v
		}
	}
}

// usesMTDF reports whether the scores of several lines are found by zero windows.
func (w *worker) usesMTDF() bool {
	return w.options.LineProbes && w.options.Aspiration > 0 && w.depth >= aspirationMinDepth
}

// mtdf returns the score of a root move that has been made, by zero windows that start from a
// guess. The step doubles until the score is bracketed, then the gap is halved. Searches of one
// position may disagree; the last one counts, because the table was fullest.
func (w *worker) mtdf(guess int) int {
	low, high := -infinity, infinity
	v, step := guess, w.options.Aspiration
	for at := guess; low < high; {
		v = -w.search(1, w.depth-1, -at, 1-at, true)
		if w.budget.stopped {
			return v
		}
		if v >= at {
			low = v
		} else {
			high = v
		}
		switch {
		case high == infinity:
			at = min(low+step, mateScore)
			step *= 2
		case low == -infinity:
			at = max(high-step, -mateScore)
			step *= 2
		default:
			at = low + max(1, (high-low)/2)
		}
	}
	w.pvFromTT(1, v)
	return v
}

// pvFromTT fills the PV of a ply from the best moves in the table, given the position's score for
// the root's side: up to the depth of the iteration, or to the mate if score is one. The line is
// shorter where entries have been overwritten.
func (w *worker) pvFromTT(ply, score int) {
	l := &w.pvs[ply]
	end := w.depth
	if isMate(score) {
		end = matePlies(score)
	}
	end = min(end-ply, maxPly)
	for l.length = 0; l.length < end && w.board.Occurrences() == 0; {
		m := w.ttPVMove(score, end-l.length)
		if m == 0 {
			break
		}
		l.moves[l.length] = m
		l.length++
		w.board.Do(m)
	}
	for range l.length {
		w.board.Undo()
	}
}

// ttPVMove returns the best move in the table for the board, or 0. If a mate is left plies away,
// the move must keep to it according to the table or the rules.
func (w *worker) ttPVMove(score, left int) xiangqi.Move {
	ttEntry, _ := w.table.probe(w.board.Key(), 0)
	if ttEntry.move != 0 && !w.board.Legal(ttEntry.move) {
		ttEntry.move = 0
	}
	if !isMate(score) || ttEntry.move != 0 && w.keepsMateDistance(ttEntry.move, left) {
		return ttEntry.move
	}
	for _, m := range w.board.AppendMoves(w.scratch[:0]) {
		if w.keepsMateDistance(m, left) {
			return m
		}
	}
	return 0
}

// keepsMateDistance reports whether a move leads to a known mate in left plies, including the move
// itself. The side being mated must not shorten it.
func (w *worker) keepsMateDistance(m xiangqi.Move, left int) bool {
	w.board.Do(m)
	defer w.board.Undo()
	if left == 1 {
		return w.board.CountMoves() == 0
	}
	left--
	ttEntry, _ := w.table.probe(w.board.Key(), 0)
	if left%2 == 0 { // the side to move is being mated
		return ttEntry.bound&boundUpper != 0 && ttEntry.score <= matedIn(left)
	}
	return ttEntry.bound&boundLower != 0 && ttEntry.score == -matedIn(left)
}
