package search

import (
	"slices"

	"qhsh/engine"
	"qhsh/engine/budget"
	"qhsh/engine/quoridor"
)

// A rootMove is a move at the root and its results.
type rootMove struct {
	line           []quoridor.Action // the move first
	score          int
	depth          int   // of the iteration that the score is from
	nodes          int64 // when it was found
	worthSearching bool
}

// rootMoves are the moves at the root, best first.
type rootMoves []rootMove

// maxDepth is the last iteration.
const maxDepth = 60

// run runs one search. It yields the list after each iteration. The error is the cause of
// a context that means to give up.
func (w *worker) run(b *budget.Budget, board quoridor.Board, moves []quoridor.Action, lim engine.Limits, yield func([]engine.Line, error) bool) error {
	w.prepare(b, board, moves)
	want := min(max(lim.Lines, 1), len(moves))
	last := maxDepth
	if lim.Depth > 0 {
		last = min(last, lim.Depth)
	}
	for depth := 1; depth <= last; depth++ {
		settled := w.searchIteration(depth, want)
		if w.Stopped {
			break
		}
		if !yield(w.roots.lines(want, w.Nodes), nil) {
			return nil
		}
		if settled {
			return nil
		}
	}
	if err := b.AbortCause(); err != nil {
		return err
	}
	if w.Stopped {
		yield(w.roots.lines(want, w.Nodes), nil)
	}
	return nil
}

// prepare initializes a search and sorts the root moves.
func (w *worker) prepare(b *budget.Budget, board quoridor.Board, moves []quoridor.Action) {
	w.Budget = b
	w.history.age()
	w.stack[0].board = board
	info := newNodeInfo(&board)
	ttEntry, _ := w.table.probe(board.Key(), 0)
	w.roots = w.roots[:0]
	ranks := map[quoridor.Action]int32{}
	for _, a := range moves {
		w.roots = append(w.roots, rootMove{
			line:           []quoridor.Action{a},
			worthSearching: a.Kind() == quoridor.Step || info.worthSearching(a),
		})
		if ranks[a] = w.moveScore(&board, &info, a); a == ttEntry.move {
			ranks[a] = 1 << 30
		}
	}
	slices.SortStableFunc(w.roots, func(a, b rootMove) int { return int(ranks[b.line[0]]) - int(ranks[a.line[0]]) })
}

// searchIteration searches all moves to a depth. It reports whether all wanted lines are proven
// wins or losses that the depth has confirmed.
func (w *worker) searchIteration(depth, want int) (settled bool) {
	done := make(rootMoves, 0, len(w.roots))
	for i := range w.roots {
		r := w.roots[i]
		threshold := -infinity // what a move has to exceed to be among the best
		if len(done) >= want {
			threshold = done[want-1].score
		}
		value, ok := w.searchRootMove(&r, depth, threshold)
		if !ok {
			w.roots.mergePartial(done, want)
			return false
		}
		if r.score = value; value > threshold {
			r.depth, r.nodes = depth, w.Nodes
		}
		at, _ := slices.BinarySearchFunc(done, value, func(r rootMove, v int) int {
			if r.score >= v {
				return -1
			}
			return 1
		})
		done = slices.Insert(done, at, r)
	}
	copy(w.roots, done)
	for _, r := range w.roots[:want] {
		settled = (r.score >= provenWin || r.score <= -provenWin) && depth > winScore-abs(r.score)
		if !settled {
			return false
		}
	}
	return true
}

// searchRootMove returns the score of a move, exact above threshold; ok is false if the budget is
// spent.
func (w *worker) searchRootMove(r *rootMove, depth, threshold int) (value int, ok bool) {
	a := r.line[0]
	if !w.makeMove(0, a) {
		return 0, false
	}
	reduction := 0
	if !r.worthSearching {
		reduction = 2
	}
	if threshold > -infinity {
		value = -w.search(1, depth-1-reduction, -threshold-1, -threshold)
	}
	if !w.Stopped && (threshold == -infinity || value > threshold) {
		w.stack[1].pv = w.stack[1].pv[:0]
		value = -w.search(1, depth-1, -infinity, -threshold)
	}
	if w.Stopped {
		return 0, false
	}
	if value > threshold {
		r.line = append([]quoridor.Action{a}, w.stack[1].pv...)
	}
	return value, true
}

// mergePartial takes over the results of an interrupted iteration if it has as many of the best
// moves as wanted.
func (rs rootMoves) mergePartial(done rootMoves, want int) {
	if len(done) < want {
		return
	}
	rest := make(rootMoves, 0, len(rs))
	for _, r := range rs {
		if !slices.ContainsFunc(done[:want], func(d rootMove) bool { return d.line[0] == r.line[0] }) {
			rest = append(rest, r)
		}
	}
	copy(rs, append(slices.Clone(done[:want]), rest...))
}

// lines returns the best lines.
func (rs rootMoves) lines(want int, nodes int64) []engine.Line {
	list := make([]engine.Line, want)
	for i, r := range rs[:want] {
		moves := make([]engine.Move, len(r.line))
		for j, a := range r.line {
			moves[j] = engine.Move(a)
		}
		list[i] = engine.Line{Moves: moves, Depth: r.depth, Nodes: nodes}
		if r.depth > 0 {
			list[i].Score = engineScore(r.score)
		}
	}
	return list
}

func abs(n int) int { return max(n, -n) }
