package search

import (
	"cmp"
	"slices"

	"qhsh/engine"
	"qhsh/engine/xiangqi"
)

// rootMoves are the moves to choose from. The first multiPV of them, once an iteration has
// completed, are the answer, best first.
type rootMoves struct {
	moves   []rootMove
	multiPV int   // number of lines wanted, at most the number of moves
	noBans  bool  // no move is banned, so the best score is the position's own
	top     []int // in the running iteration: indices of the best so far, best first, at most multiPV
	done    int   // in the running iteration: number of finished moves
	changed bool  // the answer has changed since it was last yielded
}

// A rootMove is a move to choose from and its results.
type rootMove struct {
	move     xiangqi.Move
	score    int            // in an iteration, valid for a move in top; noScore before the first
	depth    int            // of the iteration that found the score
	effort   int64          // nodes that the last iteration spent on it
	orderKey int32          // initial ordering score
	line     []xiangqi.Move // begins with move
}

// noScore is less than any score.
const noScore = -infinity

// begin initializes the moves. It reuses the memory of the last search.
func (r *rootMoves) begin(moves []engine.Move, lim engine.Limits) {
	r.multiPV = min(len(moves), max(1, lim.Lines))
	r.noBans = len(lim.Ban) == 0
	r.top, r.done, r.changed = r.top[:0], 0, true
	r.moves = slices.Grow(r.moves[:0], len(moves))[:len(moves)]
	for i := range moves {
		m := xiangqi.Move(moves[i])
		r.moves[i] = rootMove{move: m, score: noScore, line: append(r.moves[i].line[:0], m)}
	}
}

// sortBy sorts the moves by a key, highest first.
func (r *rootMoves) sortBy(key func(xiangqi.Move) int32) {
	for i := range r.moves {
		r.moves[i].orderKey = key(r.moves[i].move)
	}
	slices.SortStableFunc(r.moves, func(a, b rootMove) int { return cmp.Compare(b.orderKey, a.orderKey) })
}

func (r *rootMoves) beginIteration() { r.top, r.done = r.top[:0], 0 }

// threshold returns the score that a move must exceed to be listed.
func (r *rootMoves) threshold(alpha int) int {
	if len(r.top) < r.multiPV {
		return alpha
	}
	return max(alpha, r.moves[r.top[r.multiPV-1]].score)
}

// insert puts a move into the list of the best.
func (r *rootMoves) insert(i, score, depth int, rest *pv) {
	m := &r.moves[i]
	m.score, m.depth = score, depth
	m.line = append(append(m.line[:0], m.move), rest.moves[:rest.length]...)
	at := len(r.top)
	for at > 0 && r.moves[r.top[at-1]].score < score {
		at--
	}
	if len(r.top) == r.multiPV {
		r.top = r.top[:r.multiPV-1]
	}
	r.top = slices.Insert(r.top, at, i)
}

// finishIteration orders the moves: the best first, then the others by search effort.
func (r *rootMoves) finishIteration() {
	r.moveToFront(r.top)
	rest := r.moves[len(r.top):]
	slices.SortStableFunc(rest, func(a, b rootMove) int { return cmp.Compare(b.effort, a.effort) })
}

// moveToFront moves the moves with these indices to the front, in this order.
func (r *rootMoves) moveToFront(indices []int) {
	front := make([]rootMove, 0, len(r.moves))
	for _, i := range indices {
		front = append(front, r.moves[i])
	}
	for i, m := range r.moves {
		if !slices.Contains(indices, i) {
			front = append(front, m)
		}
	}
	copy(r.moves, front)
	r.changed = true
}

// mergePartial ends an interrupted iteration: moves that it finished have their new scores, the
// others those of the iteration before. If the finished ones have failed below an aspiration
// window, the old answer stays. It also stays if one of the new best moves loses, because moves not
// searched may not. The first iteration has no old answer: there, moves not searched come before
// those that lose, and neither have scores.
func (r *rootMoves) mergePartial(depth int) {
	if r.done == 0 || len(r.top) < min(r.done, r.multiPV) {
		return
	}
	indices, last := slices.Clone(r.top), r.multiPV
	loses := func(i int) bool { return r.moves[i].score <= -ruleBand }
	if slices.ContainsFunc(indices, loses) {
		if depth > 1 {
			r.changed = false
			return
		}
		indices, last = slices.DeleteFunc(indices, loses), len(r.moves)
		for i := range r.done {
			if m := &r.moves[i]; loses(i) {
				m.score, m.depth, m.line = noScore, 0, m.line[:1]
			}
		}
	}
	for i := r.done; i < len(r.moves) && len(indices) < last; i++ {
		indices = append(indices, i)
	}
	slices.SortStableFunc(indices, func(a, b int) int { return cmp.Compare(r.moves[b].score, r.moves[a].score) })
	r.moveToFront(indices)
}

// allMatesProven reports whether every line is a mate that a deeper search cannot change.
func (r *rootMoves) allMatesProven(depth int) bool {
	return !slices.ContainsFunc(r.moves[:r.multiPV], func(m rootMove) bool { return !isMate(m.score) || matePlies(m.score)+proofMargin > depth })
}

// lines returns the answer so far.
func (r *rootMoves) lines(nodes int64) []engine.Line {
	list := make([]engine.Line, r.multiPV)
	for i := range list {
		m := &r.moves[i]
		list[i] = engine.Line{Moves: make([]engine.Move, len(m.line)), Depth: m.depth, Nodes: nodes}
		for j, move := range m.line {
			list[i].Moves[j] = engine.Move(move)
		}
		if m.score != noScore {
			list[i].Score = engineScore(m.score)
		}
	}
	return list
}

// aspirationMinDepth is the first iteration with an aspiration window.
const aspirationMinDepth = 5

// searchIteration searches the root once at the worker's depth. With one line it starts with an
// aspiration window around the last score and widens it until the score fits.
func (w *worker) searchIteration() {
	r := &w.roots
	alpha, beta := -infinity, infinity
	delta := w.options.Aspiration
	if last := r.moves[0].score; delta > 0 && r.multiPV == 1 && w.depth >= aspirationMinDepth && !isDecided(last) {
		alpha, beta = last-delta, last+delta
	}
	for {
		v := w.searchRoot(alpha, beta)
		switch {
		case w.budget.stopped:
			return
		case v <= alpha && alpha > -infinity:
			w.tellBound(v, "upperbound")
			delta *= 4
			alpha = widened(alpha-delta, -infinity)
		case v >= beta && beta < infinity:
			r.moveToFront(r.top)
			w.tellBound(v, "lowerbound")
			delta *= 4
			beta = widened(beta+delta, infinity)
		default:
			r.finishIteration()
			w.storeRoot()
			return
		}
	}
}

// heard returns who is to be told the progress now; nil if nobody.
func (w *worker) heard() *listener {
	if l := w.listener.Load(); l != nil && w.budget.total() >= l.from {
		return l
	}
	return nil
}

// tellBound tells that the search has left its window at the score v.
func (w *worker) tellBound(v int, kind string) {
	if l := w.heard(); l != nil {
		line := w.roots.lines(w.budget.total())[0]
		line.Score, line.Text = engineScore(v), kind
		l.tell(engine.Progress{Depth: w.depth, Bound: line})
	}
}

// widened returns a new end of the window: v, or last if v is far from 0.
func widened(v, last int) int {
	if v > 2000 || v < -2000 {
		return last
	}
	return v
}

// storeRoot stores the root in the table for later searches.
func (w *worker) storeRoot() {
	best := &w.roots.moves[0]
	if w.roots.noBans {
		w.table.store(w.board.Key(), 0, entry{best.move, best.score, w.stack[0].rawEval, w.depth, boundExact, true})
	}
}

// searchRoot searches every root move and returns the best score.
func (w *worker) searchRoot(alpha, beta int) int {
	r := &w.roots
	r.beginIteration()
	best := -infinity
	for i := range r.moves {
		threshold := r.threshold(alpha)
		if l := w.heard(); l != nil {
			l.tell(engine.Progress{Depth: w.depth, Move: engine.Move(r.moves[i].move), Number: i + 1})
		}
		nodesBefore := w.budget.nodes
		v, ok := w.searchRootMove(i, threshold, beta)
		if ok && v > threshold && isByRule(v) && !w.proof {
			w.proof = true
			v, ok = w.searchRootMove(i, threshold, beta)
		}
		if !ok {
			return best
		}
		r.moves[i].effort = w.budget.nodes - nodesBefore
		r.done++
		best = max(best, v)
		if v > threshold {
			r.insert(i, v, w.depth, &w.pvs[1])
		}
		if v >= beta {
			break
		}
	}
	return best
}

// searchRootMove returns the score of a root move, exact above threshold; ok is false when the
// budget has run out.
func (w *worker) searchRootMove(i, threshold, beta int) (v int, ok bool) {
	r := &w.roots
	m := r.moves[i].move
	if !w.makeMove(0, m) {
		return 0, false
	}
	count, reduction := i+1, 0
	if i >= r.multiPV && count > 2 && w.options.LateMoveReduce && w.depth >= 3 {
		reduction = w.reduction(0, w.depth, count, true, false)
	}
	switch {
	case r.multiPV == 1:
		v = w.searchChild(0, w.depth-1, reduction, threshold, beta, i == 0, false)
		if v >= beta && !w.budget.stopped {
			w.pvFromTT(1, v) // a bound has no line
		}
	case i < r.multiPV:
		v = w.rootScore(i)
	case !w.usesMTDF():
		v = w.searchChild(0, w.depth-1, reduction, threshold, beta, false, false)
	default:
		v = w.searchChild(0, w.depth-1, reduction, threshold, threshold+1, false, false)
		if v > threshold && !w.budget.stopped {
			v = w.mtdf(v)
		}
	}
	w.unmakeMove()
	return v, !w.budget.stopped
}
