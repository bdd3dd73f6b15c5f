package tree

import (
	"slices"

	"qhsh/engine"
)

// A positionID identifies a position, regardless of the path to it.
type positionID struct {
	key  uint64
	turn engine.Turn
}

func positionIDOf(p engine.Position) positionID { return positionID{p.Key(), p.Turn()} }

func earlierPositions(pos engine.Position) map[positionID]bool {
	before := map[positionID]bool{}
	at, moves := pos.History()
	for _, m := range moves {
		before[positionIDOf(at)] = true
		next, err := at.Play(m)
		if err != nil {
			break // cannot happen: a position's own history is legal
		}
		at = next
	}
	return before
}

// classify sets the kind, value and priority of a new leaf.
func (g *grower) classify(n *Node) {
	at := positionIDOf(n.Pos)
	first := g.nodes[at]
	var worth engine.Score
	switch result := n.Pos.Result(); {
	case result.Over():
		n.Kind, worth = Over, result.Score(n.Pos.Turn().Perspective())
	case n.Parent != nil && (g.earlier[at] || first.isAncestorOf(n)):
		n.Kind, n.Same, worth = Return, first, g.Judge(n.Pos)
	case first != nil && first.reaches(n.Parent):
		n.Kind, n.Same, n.loop = Merged, first, true
	case first != nil && (first.Kind != Unsearched || first.ply <= n.ply):
		n.merge(first)
		return
	default:
		g.nodes[at] = n
	}
	n.setScore(worth, priority{open: n.Kind == Unsearched && n.ply < g.Depth, ply: n.ply})
	if n.Kind == Unsearched && first != nil {
		twins := append(first.merged, first)
		first.merged = nil
		for _, twin := range twins {
			twin.merge(n)
			backUp(twin.Parent)
		}
	}
}

// isAncestorOf reports whether n is other or an ancestor of it.
func (n *Node) isAncestorOf(other *Node) bool {
	if n == nil {
		return false
	}
	for other.ply > n.ply {
		other = other.Parent
	}
	return other == n
}

// reaches reports whether n's value depends on target's: n is target or an ancestor of it, directly
// or through merged nodes.
func (n *Node) reaches(target *Node) bool {
	seen := map[*Node]bool{}
	var up func(at *Node) bool
	up = func(at *Node) bool {
		if at == n {
			return true
		}
		if at == nil || seen[at] {
			return false
		}
		seen[at] = true
		return up(at.Parent) || slices.ContainsFunc(at.merged, func(twin *Node) bool { return up(twin.Parent) })
	}
	return up(target)
}

// merge makes n a leaf that takes its value from same.
func (n *Node) merge(same *Node) {
	n.Kind, n.Same = Merged, same
	same.merged = append(same.merged, n)
	n.setScore(same.score, same.priority)
}
