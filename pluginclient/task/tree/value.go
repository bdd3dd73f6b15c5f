package tree

import (
	"cmp"
	"math"
	"slices"

	"qhsh/engine"
)

// rankCost is the cost of a rank in centipawns, without scores.
const rankCost = 50

// repetitionScore returns the score of a repeated position by the game's rules. A win or loss by
// the rules has the size of a mate, but is a number of centipawns.
func repetitionScore(pos engine.Position) engine.Score {
	a, ok := pos.(engine.Adjudicator)
	if !ok {
		return engine.Centipawns(0)
	}
	switch r := a.Repetition(); r.Outcome {
	case engine.Ongoing, engine.Draw:
		return engine.Centipawns(0)
	case engine.Win(pos.Turn().Perspective()):
		return engine.Centipawns(engine.MateCentipawns)
	}
	return engine.Centipawns(-engine.MateCentipawns)
}

// scoreForMover converts the score of a position to that of the move before it.
func (n *Node) scoreForMover(worth engine.Score) engine.Score {
	if n.Parent == nil {
		return worth
	}
	mover := n.Parent.Pos.Turn()
	if mover.Perspective() != n.Pos.Turn().Perspective() {
		worth = worth.Neg()
	}
	if moves, ok := worth.Mate(); ok && worth.Compare(engine.Centipawns(0)) > 0 && mover != engine.Chance {
		return engine.MateIn(moves + 1)
	}
	return worth
}

// childrenScore returns the score of a position by its children, or the unknown score if a child's
// value is unknown.
func childrenScore(n *Node) engine.Score {
	if len(n.Children) == 0 || anyUnknown(n.Children) {
		return engine.Score{}
	}
	if n.Pos.Turn() == engine.Chance {
		return engine.Expected(func(yield func(float64, engine.Score) bool) {
			for _, child := range n.Children {
				if !yield(child.Odds, child.Value) {
					return
				}
			}
		})
	}
	return bestOf(n.Children).Value
}

// anyUnknown reports whether the value of a child is unknown.
func anyUnknown(children []*Node) bool {
	return slices.ContainsFunc(children, func(n *Node) bool { return !n.Value.Known() })
}

func bestOf(children []*Node) *Node {
	return slices.MinFunc(children, byValue(children))
}

// byValue returns an order of the children of a position: by value and then rank, or only by rank
// if a value is unknown.
func byValue(children []*Node) func(a, b *Node) int {
	unknown := anyUnknown(children)
	return func(a, b *Node) int {
		if unknown {
			return cmp.Compare(a.Rank, b.Rank)
		}
		return cmp.Or(b.Value.Compare(a.Value), cmp.Compare(a.Rank, b.Rank))
	}
}

// A priority is that of the cheapest open position below a node; the package comment defines the
// cost.
type priority struct {
	open bool // there is an open position
	cost int  // from the node to the open position
	ply  int  // of the open position
}

// backUp recomputes a node's value and priority from its children, and then those of all nodes that
// depend on it.
func backUp(n *Node) {
	worth := childrenScore(n)
	_, open := n.nextChild()
	if worth == n.score && open == n.priority {
		return
	}
	n.setScore(worth, open)
	for _, merged := range n.merged {
		merged.setScore(worth, open)
		backUp(merged.Parent)
	}
	if n.Parent != nil {
		backUp(n.Parent)
	}
}

func (n *Node) setScore(worth engine.Score, open priority) {
	n.score, n.priority, n.Value = worth, open, n.Score
	if worth.Known() {
		n.Value = n.scoreForMover(worth)
	}
}

// nextChild returns the child that leads to the next position to search, with the priority of that
// position; nil if none is open.
func (n *Node) nextChild() (next *Node, due priority) {
	costs := n.costs()
	for i, child := range n.Children {
		u := child.priority
		u.cost += costs[i]
		if u.open && (next == nil || cmp.Or(cmp.Compare(u.cost, due.cost), cmp.Compare(u.ply, due.ply)) < 0) {
			next, due = child, u
		}
	}
	return next, due
}

// costs returns the difference of each child to the best.
func (n *Node) costs() []int {
	if len(n.Children) == 0 {
		return nil
	}
	costs, best, unknown := make([]int, len(n.Children)), bestOf(n.Children).Value, anyUnknown(n.Children)
	for i, child := range n.Children {
		switch {
		case n.Pos.Turn() == engine.Chance:
			costs[i] = int(math.Round(100 * (1 - child.Odds)))
		case unknown:
			costs[i] = (child.Rank - 1) * rankCost
		default:
			costs[i] = best.Bounded() - child.Value.Bounded()
		}
	}
	return costs
}

// nextToSearch returns the next position to search, or nil.
func nextToSearch(root *Node) *Node {
	if !root.priority.open {
		return nil
	}
	n := root
	for n.Kind != Unsearched {
		if n.Kind == Merged {
			n = n.Same
			continue
		}
		n, _ = n.nextChild()
	}
	return n
}
