package alphabeta

import (
	"cmp"
	"math"
	"slices"

	"qhsh/engine"
)

// A RootMove is a move at the root and its results.
type RootMove struct {
	Move      engine.Move
	Order     int32 // in the first iteration: highest first
	Reduction int   // of the depth to which it is first searched if it needs not be among the best
	Score     int   // before the first iteration: the evaluation of the root

	depth int           // of the iteration that found the score
	line  []engine.Move // begins with Move
}

// A deepening is a running search: iterations over the root moves, each a ply deeper.
type deepening struct {
	worker Worker
	budget *Budget
	roots  []RootMove // the best first; the first lines of them are the answer
	lines  int        // wanted, at most the number of moves
}

// run yields the answer after each iteration up to last. The error is the cause of a context that
// says to give up.
func (d *deepening) run(last int, yield func([]engine.Line, error) bool) error {
	d.sort()
	for depth := 1; depth <= last; depth++ {
		d.iterate(depth)
		if d.budget.Stopped {
			break
		}
		if !yield(d.answer(), nil) || d.settled(depth) {
			return nil
		}
	}
	if err := engine.AbortCause(d.budget.ctx); err != nil {
		return err
	}
	if d.budget.Stopped {
		yield(d.answer(), nil)
	}
	return nil
}

// sort sorts the root moves for the first iteration.
func (d *deepening) sort() {
	slices.SortStableFunc(d.roots, func(a, b RootMove) int { return cmp.Compare(b.Order, a.Order) })
	for i := range d.roots {
		d.roots[i].line = []engine.Move{d.roots[i].Move}
	}
}

// iterate searches all root moves to a depth, as far as the budget goes.
func (d *deepening) iterate(depth int) {
	done := make([]RootMove, 0, len(d.roots))
	for _, r := range d.roots {
		threshold := -Infinity // what a move has to exceed to be among the best
		if len(done) >= d.lines {
			threshold = done[d.lines-1].Score
		}
		if !d.searchMove(&r, depth, threshold) {
			d.mergePartial(depth, done)
			return
		}
		at := len(done)
		for at > 0 && done[at-1].Score < r.Score {
			at--
		}
		done = slices.Insert(done, at, r)
	}
	d.roots = done
}

// searchMove sets the score of a move, which is exact above threshold. It reports whether the
// budget allowed it.
func (d *deepening) searchMove(r *RootMove, depth, threshold int) bool {
	if !d.worker.MakeMove(r.Move) {
		return false
	}
	value := Infinity
	if threshold > -Infinity {
		value = d.worker.Search(depth-1-r.Reduction, threshold, threshold+1)
	}
	if value > threshold && !d.budget.Stopped {
		value = d.worker.Search(depth-1, threshold, Infinity)
	}
	if d.budget.Stopped {
		return false
	}
	if r.Score = value; value > threshold {
		r.depth = depth
		r.line = d.worker.AppendPV([]engine.Move{r.Move})
	}
	return true
}

// mergePartial takes over the results of an interrupted iteration, if it has found as many moves as
// are wanted that do not lose: those not searched may be better than one that does. Otherwise the
// old answer stays; before the first iteration, it begins with moves that are not known to lose.
func (d *deepening) mergePartial(depth int, done []RootMove) {
	safe := slices.IndexFunc(done, func(r RootMove) bool { return r.Score <= -ProvenWin })
	if safe < 0 {
		safe = len(done)
	}
	among := func(list []RootMove) func(RootMove) bool {
		return func(r RootMove) bool {
			return slices.ContainsFunc(list, func(l RootMove) bool { return l.Move == r.Move })
		}
	}
	switch {
	case safe >= d.lines:
		d.roots = append(done[:safe:safe], slices.DeleteFunc(d.roots, among(done[:safe]))...)
	case depth == 1:
		for i, lost := 0, among(done[safe:]); i < len(done); i++ {
			if lost(d.roots[i]) {
				d.roots[i].Order = math.MinInt32
			}
		}
		d.sort()
	}
}

// settled reports whether the answer consists of wins and losses that the depth has proven.
func (d *deepening) settled(depth int) bool {
	return !slices.ContainsFunc(d.roots[:d.lines], func(r RootMove) bool {
		n := max(r.Score, -r.Score)
		return n < ProvenWin || depth <= Win-n
	})
}

func (d *deepening) answer() []engine.Line {
	list := make([]engine.Line, d.lines)
	for i, r := range d.roots[:d.lines] {
		list[i] = engine.Line{Moves: slices.Clone(r.line), Score: engineScore(r.Score), Depth: r.depth, Nodes: d.budget.Nodes}
	}
	return list
}
