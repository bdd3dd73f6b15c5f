package tree

import (
	"cmp"
	"math"
	"slices"

	"qhsh/engine"
)

// mateCentipawns is the value of a mate when it is averaged or compared with other scores.
const mateCentipawns = 10_000

// rankCost is the cost of a rank in centipawns, without scores.
const rankCost = 50

// perspective returns the side for which a position is scored: the side to move, or First if chance
// moves.
func perspective(t engine.Turn) engine.Turn {
	if t == engine.Chance {
		return engine.First
	}
	return t
}

// resultScore returns the score of a game result for a side.
func resultScore(r engine.Result, side engine.Turn) engine.Score {
	switch r.Outcome {
	case engine.Draw:
		return engine.Centipawns(0)
	case engine.Win(side):
		return engine.MateIn(0).Neg()
	}
	return engine.MateIn(0)
}

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
	case engine.Win(perspective(pos.Turn())):
		return engine.Centipawns(mateCentipawns)
	}
	return engine.Centipawns(-mateCentipawns)
}

// scoreForMover converts the score of a position to that of the move before it.
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

// childrenScore returns the score of a position by its children, or the unknown score if a child's
// value is unknown.
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

// centipawns converts a known score.
func centipawns(s engine.Score) int {
	if n, ok := s.Centipawns(); ok {
		return max(-mateCentipawns, min(mateCentipawns, n))
	}
	if isWin(s) {
		return mateCentipawns
	}
	return -mateCentipawns
}

// bestOf returns the first child in the order of byValue.
func bestOf(children []*Node) *Node {
	return slices.MinFunc(children, byValue(children))
}

// byValue returns an order of the children of a position: by value and then rank, or only by rank
// if a value is unknown.
func byValue(children []*Node) func(a, b *Node) int {
	unknown := slices.ContainsFunc(children, func(n *Node) bool { return !n.Value.Known() })
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

func (u priority) before(v priority) bool {
	return cmp.Or(cmp.Compare(u.cost, v.cost), cmp.Compare(u.ply, v.ply)) < 0
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
		if u.open && (next == nil || u.before(due)) {
			next, due = child, u
		}
	}
	return next, due
}

// costs returns the difference of each child to the best.
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
