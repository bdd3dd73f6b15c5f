package search

import (
	"cmp"
	"slices"

	"qhsh/engine"
	"qhsh/engine/budget"
	"qhsh/engine/checkers"
)

// A root is a move at the root and what is known of it.
type root struct {
	line  []checkers.Move // the move first
	score int
	depth int   // of the iteration that the score is from
	nodes int64 // when it was found
	rank  int32
}

// roots are the moves at the root, best first as far as an iteration has come.
type roots []root

// maxDepth bounds the iterations.
const maxDepth = 99

// run is one search. It yields the list after each iteration. The error is the cause of
// a context that says to give up.
func (w *worker) run(b *budget.Budget, pos *checkers.Position, moves []checkers.Move, lim engine.Limits, yield func([]engine.Line, error) bool) error {
	w.begin(b, pos, moves)
	want := min(max(lim.Lines, 1), len(moves))
	last := maxDepth
	if lim.Depth > 0 {
		last = min(last, lim.Depth)
	}
	for depth := 1; depth <= last; depth++ {
		settled := w.iterate(depth, want)
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

// begin sets a search up: the moves are sorted as at any node.
func (w *worker) begin(b *budget.Budget, pos *checkers.Position, moves []checkers.Move) {
	w.Budget = b
	w.history.age()
	w.table.age++
	f := &w.stack[0]
	f.board, f.quiet = pos.Board(), pos.Quiet()
	w.remember(pos)
	known, _ := w.table.probe(f.board.Key(), 0)
	w.roots = w.roots[:0]
	for _, m := range moves {
		w.roots = append(w.roots, root{line: []checkers.Move{m}, rank: w.rank(f, m, known.move)})
	}
	slices.SortStableFunc(w.roots, func(a, b root) int { return cmp.Compare(b.rank, a.rank) })
}

// remember keeps the keys of the game that may occur again.
func (w *worker) remember(pos *checkers.Position) {
	w.game = w.game[:0]
	for range pos.Quiet() {
		pos, _ = pos.Before()
		board := pos.Board()
		w.game = append(w.game, board.Key())
	}
	slices.Reverse(w.game)
}

// iterate looks at all moves a ply deeper. It reports whether there is nothing more to
// find: all the wanted lines are proven wins or losses that depth has confirmed.
func (w *worker) iterate(depth, want int) (settled bool) {
	done := make(roots, 0, len(w.roots))
	for i := range w.roots {
		r := w.roots[i]
		bar := -infinite // what a move has to exceed to be among the best
		if len(done) >= want {
			bar = done[want-1].score
		}
		value, ok := w.try(&r, depth, bar)
		if !ok {
			w.roots.merge(done, want)
			return false
		}
		if r.score = value; value > bar {
			r.depth, r.nodes = depth, w.Nodes
		}
		at, _ := slices.BinarySearchFunc(done, value, func(r root, v int) int {
			if r.score >= v {
				return -1
			}
			return 1
		})
		done = slices.Insert(done, at, r)
	}
	copy(w.roots, done)
	for _, r := range w.roots[:want] {
		settled = (r.score >= sure || r.score <= -sure) && depth > win-abs(r.score)
		if !settled {
			return false
		}
	}
	return true
}

// try is the value of a move, exact where it exceeds the bar; false if the budget was
// spent before.
func (w *worker) try(r *root, depth, bar int) (value int, ok bool) {
	a := r.line[0]
	if !w.enter(0, a) {
		return 0, false
	}
	if bar > -infinite {
		value = -w.node(1, depth-1, -bar-1, -bar)
	}
	if !w.Stopped && (bar == -infinite || value > bar) {
		w.stack[1].line = w.stack[1].line[:0]
		value = -w.node(1, depth-1, -infinite, -bar)
	}
	if w.Stopped {
		return 0, false
	}
	if value > bar {
		r.line = append([]checkers.Move{a}, w.stack[1].line...)
	}
	return value, true
}

// merge takes over what a broken iteration has found, if it has looked at as many of the
// best moves as are wanted.
func (rs roots) merge(done roots, want int) {
	if len(done) < want {
		return
	}
	rest := make(roots, 0, len(rs))
	for _, r := range rs {
		if !slices.ContainsFunc(done[:want], func(d root) bool { return d.line[0] == r.line[0] }) {
			rest = append(rest, r)
		}
	}
	copy(rs, append(slices.Clone(done[:want]), rest...))
}

// lines are the best moves as the contract has them.
func (rs roots) lines(want int, nodes int64) []engine.Line {
	list := make([]engine.Line, want)
	for i, r := range rs[:want] {
		moves := make([]engine.Move, len(r.line))
		for j, a := range r.line {
			moves[j] = engine.Move(a)
		}
		list[i] = engine.Line{Moves: moves, Depth: r.depth, Nodes: nodes}
		if r.depth > 0 {
			list[i].Score = score(r.score)
		}
	}
	return list
}

func abs(n int) int { return max(n, -n) }
