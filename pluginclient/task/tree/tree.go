// Package tree builds a tree of hints: an engine's moves at a position, its moves after each of
// these, and so on. It uses only [engine.Searcher], so it works with any protocol and game.
//
// # Search order
//
// [Grow] requests Width lines at the root and adds a [Node] for each. It then searches the position
// after one of the moves, and so on, down to Depth plies: one Search per position. Chance positions
// are not searched: every outcome is a child. The sides need not alternate.
//
// The tree grows best line first. The cost of a node is the sum, over the moves from the root, of
// the difference to the best sibling in centipawns, for either side. The position with the lowest
// cost is searched next; ties go to the one nearer to the root, then to the higher rank. So the
// principal variation comes first, and what Ctrl-C or MaxNodes leaves out are the least likely
// moves. Siblings are compared by their current values: if a line turns out worse than expected,
// another one is searched. Without scores each rank costs half a pawn. An outcome of chance costs
// as many pawns as its odds are below 1.
//
// # Merging
//
// Equal positions (Key and Turn) are merged: a position is searched once, and has children where it
// occurred first. Other occurrences are leaves ([Merged]) that refer to that node and have its
// value. A position that occurred earlier on its own path, or in the game before the root, is a
// leaf too ([Return]), scored by Options.Judge, by default by the game's repetition rules. A merged
// position's descendants were judged on the path of its first occurrence. A merge that would create
// a cycle of values, without being a return on its own path, keeps the engine's score.
//
// # Values
//
// A node has the Score that the engine gave to its move, and a Value backed up from its children:
// the best of theirs, negated if, and only if, another side is to move. The value of a chance
// position is the average weighted by the odds; if all outcomes win, or all lose, it is the longest
// mate, otherwise a mate counts as 100 pawns. Mates are counted in the winner's moves, so each move
// of the winner on the way up adds one. If a child's value is unknown, nothing is backed up and the
// Score is kept. The tree of an engine without scores is ordered by rank.
package tree

import (
	"cmp"

	"qhsh/engine"
)

// A Kind is the state of a node: why it is a leaf, or that it has children.
type Kind int

// The kinds of nodes. All but Searched are leaves.
const (
	Unsearched Kind = iota // not reached yet, or at the maximum depth
	Searched               // has children
	Failed                 // the search failed, see Err
	Over                   // the game is over
	Return                 // the position occurred before
	Merged                 // the position is elsewhere in the tree, see Same
)

func (k Kind) String() string {
	return [...]string{"unsearched", "searched", "failed", "over", "return", "merged"}[k]
}

// A Tree is the result of Grow.
type Tree struct {
	Root     *Node
	Size     int // number of nodes without the root
	Searched int // number of successful searches
	Failed   int // number of failed searches
	Options  Options
}

// A Node is a position of the tree with the move before it. The root has no move, so Move, Name,
// Rank, Score and the engine's other results are not set.
type Node struct {
	Pos   engine.Position // after the move
	Move  engine.Move
	Name  string  // the move in the game's notation
	Label string  // the move as formatted by Options.Label, if set
	Rank  int     // of the engine's line, from 1; 0 for an outcome of chance
	Odds  float64 // probability of an outcome of chance; otherwise 0

	// Score is the engine's score of the move, Value the score backed up from the children. Both
	// are for the side that makes the move; for outcomes of chance, and at a root where chance
	// moves, for First; at other roots for the side to move. Both may be unknown.
	Score engine.Score
	Value engine.Score

	Depth int      // of the search for Score, in plies; 0: not reported
	Nodes int64    // of the search up to this line; 0: not reported
	PV    []string // principal variation from this move, up to the first illegal move
	Line  []string // PV as formatted by Options.Label
	Text  string   // other information from the engine

	Kind     Kind
	Err      error   // of a Failed node
	Same     *Node   // of a Merged node, and of a Return to a position in the tree
	Parent   *Node   // nil at the root
	Children []*Node // best first; outcomes of chance in the game's order

	ply      int
	expected []engine.Move // the engine's line
	loop     bool          // a Merged node that does not take Same's value, to avoid a cycle
	merged   []*Node       // Merged nodes that take their value from this node
	score    engine.Score
	priority priority
}

// moveText returns the move as formatted for readers.
func (n *Node) moveText() string { return cmp.Or(n.Label, n.Name) }

// Path returns the nodes from the root's child to n; empty for the root.
func (n *Node) Path() []*Node {
	path := make([]*Node, n.ply)
	for ; n.Parent != nil; n = n.Parent {
		path[n.ply-1] = n
	}
	return path
}

// Best returns the best line from the node: the best move, the best reply, and so on. It continues
// through merged positions and ends where chance moves. It can be called while the tree grows.
func (n *Node) Best() []*Node {
	var line []*Node
	for {
		if n.Kind == Merged && !n.loop {
			n = n.Same
		}
		if n.Kind != Searched || n.Pos.Turn() == engine.Chance {
			return line
		}
		n = bestOf(n.Children)
		line = append(line, n)
	}
}

// Open returns the number of positions within Options.Depth that have not been searched.
func (t *Tree) Open() int {
	n := 0
	t.Root.walk(func(node *Node) {
		if node.Kind == Unsearched && node.ply < t.Options.Depth {
			n++
		}
	})
	return n
}

// walk calls visit for the node and all below it, parents first.
func (n *Node) walk(visit func(*Node)) {
	visit(n)
	for _, child := range n.Children {
		child.walk(visit)
	}
}
