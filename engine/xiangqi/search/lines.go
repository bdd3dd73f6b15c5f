package search

// Several lines of a position are found in one pass over the root moves: each of the
// first moves has a score of its own, and any other move has to beat the worst of
// them. The first move is searched with a narrow open window, as it is where one line
// is wanted, so that it is worth as much. The others are not: what makes an open window
// dear is that nothing is cut along its line, while an empty one, which only tells
// whether a score is at least something, costs a tenth. So their scores are closed in
// on by empty windows, and their lines are what the table remembers.

// rootScore is the score of a root move that has been made: of the first with the
// narrow window around its last score, of another by empty windows.
func (w *worker) rootScore(i int) int {
	last := w.roots.moves[i].score
	switch {
	case !w.probesLines() || last == noScore || isDecided(last):
		return -w.node(1, w.depth-1, -infinity, infinity, false)
	case i > 0:
		return w.closeIn(last)
	}
	delta := w.options.Aspiration
	alpha, beta := last-delta, last+delta
	for {
		v := -w.node(1, w.depth-1, -beta, -alpha, false)
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

// probesLines tells whether empty windows find the scores of several lines.
func (w *worker) probesLines() bool {
	return w.options.LineProbes && w.options.Aspiration > 0 && w.depth >= aspireFrom
}

// closeIn finds the score of a root move that has been made from a guess. Steps that
// double lead to the other side of the score; then the gap is halved until nothing is
// left of it. Searches of one position may contradict each other; the last is believed,
// which has the fullest table.
func (w *worker) closeIn(guess int) int {
	low, high := -infinity, infinity
	v, step := guess, w.options.Aspiration
	for at := guess; low < high; {
		v = -w.node(1, w.depth-1, -at, 1-at, true)
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
	w.recall(1)
	return v
}

// recall makes the line of a ply from what the table remembers of the best moves.
func (w *worker) recall(ply int) {
	l := &w.lines[ply]
	l.count = 0
	for l.count < w.depth-1 {
		known, _ := w.table.probe(w.board.Key(), 0)
		if known.move == 0 || !w.board.Legal(known.move) {
			break
		}
		l.moves[l.count] = known.move
		l.count++
		w.board.Do(known.move)
		if w.board.Occurrences() > 0 {
			break
		}
	}
	for range l.count {
		w.board.Undo()
	}
}
