package search

import (
	"cmp"
	"slices"

	"qhsh/engine"
	"qhsh/engine/budget"
	"qhsh/engine/checkers"
)

// A rootMove is a move at the root with its score.
type rootMove struct {
	pv    []checkers.Move // begins with the move
	score int
	depth int   // iteration of the score; 0: the evaluation of the root
	nodes int64 // node count when it was found
	rank  int32
}

// rootList are the moves at the root, sorted by the last iteration.
type rootList []rootMove

// maxDepth is the maximum number of iterations.
const maxDepth = 99

// search runs one search and yields the lines after each iteration. It returns the cause of ctx if
// the search was aborted.
func (w *worker) search(b *budget.Budget, pos *checkers.Position, moves []checkers.Move, lim engine.Limits, yield func([]engine.Line, error) bool) error {
	w.setRoot(b, pos, moves)
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

// setRoot prepares a search and orders the moves at the root.
func (w *worker) setRoot(b *budget.Budget, pos *checkers.Position, moves []checkers.Move) {
	w.Budget = b
	w.history.age()
	w.table.age++
	f := &w.stack[0]
	f.board, f.quiet = pos.Board(), pos.QuietPlies()
	w.setGameKeys(pos)
	known, _ := w.table.probe(f.board.Key(), 0)
	static := w.evaluate(f) // all that is known if the budget ends within the first move: captures may take hundreds of nodes
	w.roots = w.roots[:0]
	for _, m := range moves {
		w.roots = append(w.roots, rootMove{pv: []checkers.Move{m}, score: static, rank: w.moveOrder(f, m, known.move)})
	}
	slices.SortStableFunc(w.roots, func(a, b rootMove) int { return cmp.Compare(b.rank, a.rank) })
}

// setGameKeys stores the keys of the positions of the game that can repeat.
func (w *worker) setGameKeys(pos *checkers.Position) {
	w.gameKeys = w.gameKeys[:0]
	for range pos.QuietPlies() {
		pos, _ = pos.Previous()
		board := pos.Board()
		w.gameKeys = append(w.gameKeys, board.Key())
	}
	slices.Reverse(w.gameKeys)
}

// searchIteration searches all root moves at a depth. settled reports whether all wanted lines are
// wins or losses proven at this depth.
func (w *worker) searchIteration(depth, want int) (settled bool) {
	done := make(rootList, 0, len(w.roots))
	for i := range w.roots {
		r := w.roots[i]
		bar := -infinity // the score that a move must exceed to be among the wanted lines
		if len(done) >= want {
			bar = done[want-1].score
		}
		value, ok := w.searchRootMove(&r, depth, bar)
		if !ok {
			w.roots.mergePartial(done, want)
			return false
		}
		if r.score = value; value > bar {
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

// searchRootMove returns the value of a move, which is exact if it exceeds bar. ok is false if the
// search was stopped.
func (w *worker) searchRootMove(r *rootMove, depth, bar int) (value int, ok bool) {
	a := r.pv[0]
	if !w.makeMove(0, a) {
		return 0, false
	}
	if bar > -infinity {
		value = -w.searchNode(1, depth-1, -bar-1, -bar)
	}
	if !w.Stopped && (bar == -infinity || value > bar) {
		w.stack[1].pv = w.stack[1].pv[:0]
		value = -w.searchNode(1, depth-1, -infinity, -bar)
	}
	if w.Stopped {
		return 0, false
	}
	if value > bar {
		r.pv = append([]checkers.Move{a}, w.stack[1].pv...)
	}
	return value, true
}

// mergePartial takes over the moves of an incomplete iteration, if it has as many as are wanted.
func (rs rootList) mergePartial(done rootList, want int) {
	if len(done) < want {
		return
	}
	rest := make(rootList, 0, len(rs))
	for _, r := range rs {
		if !slices.ContainsFunc(done[:want], func(d rootMove) bool { return d.pv[0] == r.pv[0] }) {
			rest = append(rest, r)
		}
	}
	copy(rs, append(slices.Clone(done[:want]), rest...))
}

// lines returns the best moves as engine.Lines.
func (rs rootList) lines(want int, nodes int64) []engine.Line {
	list := make([]engine.Line, want)
	for i, r := range rs[:want] {
		moves := make([]engine.Move, len(r.pv))
		for j, a := range r.pv {
			moves[j] = engine.Move(a)
		}
		list[i] = engine.Line{Moves: moves, Score: engineScore(r.score), Depth: r.depth, Nodes: nodes}
	}
	return list
}

func abs(n int) int { return max(n, -n) }
