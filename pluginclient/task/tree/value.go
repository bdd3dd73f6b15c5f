package tree

import (
	"cmp"
	"math"
	"slices"

	"qhsh/engine"
)

// mateCentipawns is what a mate counts, in centipawns, where it has to be compared or
// averaged with scores that are none.
const mateCentipawns = 10_000

// rankCost is what a rank counts, in centipawns, where there are no scores.
const rankCost = 50

// perspective returns the side from which a position is looked at: the one to move, or First.
func perspective(t engine.Turn) engine.Turn {
	if t == engine.Chance {
		return engine.First
	}
	return t
}

// resultScore returns what the end of a game is worth to a side.
func resultScore(r engine.Result, side engine.Turn) engine.Score {
	switch r.Outcome {
	case engine.Draw:
		return engine.Centipawns(0)
	case engine.Win(side):
		return engine.MateIn(0).Neg()
	}
	return engine.MateIn(0)
}

// repetitionScore returns what a position that has occurred before is worth by the rules of its
// game: a game that would be lost or won by them counts as much as a mate, and is none.
func repetitionScore(pos engine.Position) engine.Score {
	a, ok := pos.(engine.Adjudicator)
	if !ok {
		return engine.Centipawns(0)
	}
	switch r := a.Repetition(); r.Outcome {
	case engine.Ongoing, engine.Draw:
		return engine.Centipawns(0)
	case engine.Win(perspective(pos.Turn())):
		return engine.Centipawns(mateCentipawns)
	}
	return engine.Centipawns(-mateCentipawns)
}

// scoreForMover returns what a position's worth means to the side that moved to it.
func (n *Node) scoreForMover(worth engine.Score) engine.Score {
	if n.Parent == nil {
		return worth
	}
	mover := n.Parent.Pos.Turn()
	if perspective(mover) != perspective(n.Pos.Turn()) {
		worth = worth.Neg()
	}
	if moves, ok := worth.Mate(); ok && isWin(worth) && mover != engine.Chance {
		return engine.MateIn(moves + 1)
	}
	return worth
}

func isWin(s engine.Score) bool { return s.Compare(engine.Centipawns(0)) > 0 }

// childrenScore returns what a position is worth to its own side by its children; unknown if the
// value of one of them is.
func childrenScore(n *Node) engine.Score {
	if len(n.Children) == 0 {
		return engine.Score{}
	}
	for _, child := range n.Children {
		if !child.Value.Known() {
			return engine.Score{}
		}
	}
	if n.Pos.Turn() == engine.Chance {
		return average(n.Children)
	}
	return bestOf(n.Children).Value
}

// average returns the value of a chance position.
func average(outcomes []*Node) engine.Score {
	var sum float64
	var farthest engine.Score
	wins, losses := true, true
	for _, n := range outcomes {
		if n.Odds == 0 {
			continue
		}
		sum += n.Odds * float64(centipawns(n.Value))
		_, mate := n.Value.Mate()
		wins = wins && mate && isWin(n.Value)
		losses = losses && mate && !isWin(n.Value)
		if !farthest.Known() || wins && n.Value.Compare(farthest) < 0 || losses && n.Value.Compare(farthest) > 0 {
			farthest = n.Value
		}
	}
	if wins || losses {
		return farthest
	}
	return engine.Centipawns(int(math.Round(sum)))
}

// centipawns returns a known score as a number.
func centipawns(s engine.Score) int {
	if n, ok := s.Centipawns(); ok {
		return max(-mateCentipawns, min(mateCentipawns, n))
	}
	if isWin(s) {
		return mateCentipawns
	}
	return -mateCentipawns
}

// bestOf returns the child with the best value, of equals the one of the better rank; the
// one of the best rank if the value of any is unknown.
func bestOf(children []*Node) *Node {
	return slices.MinFunc(children, byValue(children))
}

// byValue orders the children of one position.
func byValue(children []*Node) func(a, b *Node) int {
	unknown := slices.ContainsFunc(children, func(n *Node) bool { return !n.Value.Known() })
	return func(a, b *Node) int {
		if unknown {
			return cmp.Compare(a.Rank, b.Rank)
		}
		return cmp.Or(b.Value.Compare(a.Value), cmp.Compare(a.Rank, b.Rank))
	}
}

func sortBestFirst(n *Node) {
	if n.Pos.Turn() != engine.Chance {
		slices.SortStableFunc(n.Children, byValue(n.Children))
	}
}

// priority is how soon the cheapest open position below a node is due; see the package
// comment for the cost.
type priority struct {
	open bool // there is one
	cost int  // from the node down
	ply  int  // its own
}

func (u priority) before(v priority) bool {
	return cmp.Or(cmp.Compare(u.cost, v.cost), cmp.Compare(u.ply, v.ply)) < 0
}

// backUp works out a node's value and urgency from its children, and then those of all
// that take theirs from it.
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

// nextChild returns the child above the position that is due next, and the urgency of that
// position; nil if nothing is open.
func (n *Node) nextChild() (next *Node, due priority) {
	costs := n.costs()
	for i, child := range n.Children {
		u := child.priority
		u.cost += costs[i]
		if u.open && (next == nil || u.before(due)) {
			next, due = child, u
		}
	}
	return next, due
}

// costs returns how far the children are behind the best of them.
func (n *Node) costs() []int {
	costs := make([]int, len(n.Children))
	if len(costs) == 0 {
		return nil
	}
	chance := n.Pos.Turn() == engine.Chance
	best := n.Children[0].Value
	known := true
	for _, child := range n.Children {
		known = known && child.Value.Known()
		if child.Value.Compare(best) > 0 {
			best = child.Value
		}
	}
	for i, child := range n.Children {
		switch {
		case chance:
			costs[i] = int(math.Round(100 * (1 - child.Odds)))
		case known:
			costs[i] = centipawns(best) - centipawns(child.Value)
		default:
			costs[i] = (child.Rank - 1) * rankCost
		}
	}
	return costs
}

// nextToSearch returns the position to be searched next; nil if there is none.
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
