package search

import "qhsh/engine/xiangqi"

// Several lines of a position are found in one pass over the root moves: each of the
// first moves has a score of its own, and any other move has to beat the worst of
// them. The first move is searched with a narrow open window, as it is where one line
// is wanted, so that it is worth as much. The others are not: what makes an open window
// dear is that nothing is cut along its line, while an empty one, which only tests
// whether a score is at least something, costs a tenth. So their scores are closed in
// on by empty windows, and their lines are what the table remembers.

// rootScore is the score of a root move that has been made: of the first with the
// narrow window around its last score, of another by empty windows.
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

// usesMTDF reports whether empty windows find the scores of several lines.
func (w *worker) usesMTDF() bool {
	return w.options.LineProbes && w.options.Aspiration > 0 && w.depth >= aspirationMinDepth
}

// mtdf finds the score of a root move that has been made from a guess. Steps that
// double lead to the other side of the score; then the gap is halved until nothing is
// left of it. Searches of one position may contradict each other; the last is believed,
// which has the fullest table.
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

// pvFromTT makes the line of a ply, whose position has this score for the root's side, from
// what the table remembers of the best moves: as many as the iteration looks ahead, or to
// the mate that the score tells of. Where the table has been overwritten the line is
// shorter.
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

// ttPVMove is the best move of the board as the table remembers it, or 0. Where so many
// plies are left to a mate it is one that the table, or the rules, know to keep to it.
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

// keepsMateDistance reports whether a move leads to a mate that is known, in left plies with the
// move's own. Who is to be mated may not shorten it.
func (w *worker) keepsMateDistance(m xiangqi.Move, left int) bool {
	w.board.Do(m)
	defer w.board.Undo()
	if left == 1 {
		return w.board.CountMoves() == 0
	}
	left--
	ttEntry, _ := w.table.probe(w.board.Key(), 0)
	if left%2 == 0 { // the side to move is to be mated
		return ttEntry.bound&boundUpper != 0 && ttEntry.score <= matedIn(left)
	}
	return ttEntry.bound&boundLower != 0 && ttEntry.score == -matedIn(left)
}
