// Package tree grows a tree of hints: what an engine proposes at a position, what it
// proposes after each of these moves, and so on. It is built on [engine.Searcher]
// alone, so it knows no protocol and no game.
//
// # Growth
//
// [Grow] asks for Width lines at the root and makes each proposed move a [Node]. Then
// it asks about the position after one of them, and so on, down to Depth plies: one
// Search a position. Where chance moves next nothing is searched: every outcome is a
// child. The sides need not alternate.
//
// It grows best line first. The cost of a node is the sum, over the moves that lead
// to it, of how far each is behind the best of its siblings, in hundredths of a pawn,
// for either side. The position that costs least is searched next, of equals the one
// nearer to the root, then the one that the engine ranks higher. So the line that the
// engine believes in comes first, and what is cut off, by Ctrl-C or by MaxNodes, is
// what the players would least likely play. Siblings are compared by their values of
// the moment: if a line turns out worse than it looked, growth goes over to another.
// Without scores a rank counts as half a pawn. An outcome of chance costs as many
// pawns as its odds are short of 1.
//
// # Merging
//
// Equal positions (Key and Turn) merge: a position is searched once, and has children
// where it was met first. Elsewhere it is a leaf ([Merged]) with a link and the value
// found there. A position that has occurred already on the way to it, or in the game
// before the root, is a leaf too ([Return]), which Options.Judge scores, by default by
// the game's rules on repetition. What comes after a merged position was judged on the
// way by which it was met first. A merge that would make the values go round in a circle, without being a
// return on its own way, keeps the engine's score.
//
// # Values
//
// A node has the Score that the engine gave to its move, and a Value that is backed up
// from its children: the best of theirs, seen from the other side if, and only if,
// somebody else is to move. Of a chance position it is the average, weighted by the
// odds: if every outcome wins, or every one loses, the farthest mate, else mates count
// as 100 pawns. A mate is counted in the winner's own moves, so one more for every
// move of the winner on the way up. If the value of any child is unknown, nothing is
// backed up, and the Score stands. An engine that gives no scores gets a tree in the
// order of its ranks.
//
// Rooms: this file has the tree; grow.go grows it, merge.go finds equal positions,
// value.go backs up values and chooses what is searched next; format.go lists the
// forms in which a tree is written, each in a file of its own.
package tree

import (
	"cmp"

	"qhsh/engine"
)

// A Kind reports why a node is a leaf, or that it is none.
type Kind int

// The kinds.
const (
	Unsearched Kind = iota // a leaf: growth did not come to it, or goes no deeper
	Searched               // has children
	Failed                 // a leaf: the search failed, see Err
	Over                   // a leaf: the game is over
	Return                 // a leaf: the position has occurred before
	Merged                 // a leaf: the position stands elsewhere in the tree, see Same
)

func (k Kind) String() string {
	return [...]string{"unsearched", "searched", "failed", "over", "return", "merged"}[k]
}

// A Tree is what Grow has made.
type Tree struct {
	Root     *Node
	Size     int // moves in the tree: its nodes without the root
	Searched int // searches that were answered
	Failed   int // searches that failed
	Options  Options
}

// A Node is a position of the tree and the move that leads to it. The root has no
// move: Move, Name, Rank, Score and what the engine said are not set there.
type Node struct {
	Pos   engine.Position // after the move
	Move  engine.Move
	Name  string  // the move in the game's notation
	Label string  // the move as Options.Label has it; empty without one
	Rank  int     // the engine's, from 1; 0 for an outcome of chance
	Odds  float64 // of an outcome of chance; else 0

	// Score is what the engine gave to the move, Value what the tree says of it. Both are
	// for the side that makes the move; for an outcome of chance, and where chance is to
	// move at the root, for First; at the root for the side to move. Both may be unknown.
	Score engine.Score
	Value engine.Score

	Depth int      // plies that the engine searched for Score; 0: not reported
	Nodes int64    // positions that the engine visited up to this line; 0: not reported
	PV    []string // the line that the engine expects, this move first, as far as it is legal
	Line  []string // PV as Options.Label has it
	Text  string   // what the engine said of the move beyond that

	Kind     Kind
	Err      error   // of a Failed node
	Same     *Node   // of a Merged node, and of a Return to a position in the tree
	Parent   *Node   // nil at the root
	Children []*Node // best first; those of chance in the game's order

	ply      int
	expected []engine.Move // PV, as the engine gave it
	loop     bool          // a Merged node that takes nothing from Same
	merged   []*Node       // Merged nodes that take their value from here
	score    engine.Score
	priority priority
}

// moveText returns the move for who reads the tree.
func (n *Node) moveText() string { return cmp.Or(n.Label, n.Name) }

// Path returns the nodes from the root's child to n; none for the root.
func (n *Node) Path() []*Node {
	path := make([]*Node, n.ply)
	for ; n.Parent != nil; n = n.Parent {
		path[n.ply-1] = n
	}
	return path
}

// Best returns the line that the tree believes in: the best move at the root, the best
// reply, and so on. It goes on through merged positions, and ends where chance moves.
// A tree that is growing may be asked too.
func (t *Tree) Best() []*Node { return t.Root.Best() }

// Best returns the line that the tree believes in from the node on.
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
	t.walk(func(node *Node) {
		if node.Kind == Unsearched && node.ply < t.Options.Depth {
			n++
		}
	})
	return n
}

// firstError returns the error of the Failed node that comes first; nil if none has failed.
func (t *Tree) firstError() error {
	var first error
	t.walk(func(node *Node) {
		if first == nil {
			first = node.Err
		}
	})
	return first
}

// walk visits the nodes, each before its children.
func (t *Tree) walk(visit func(*Node)) { t.Root.walk(visit) }

func (n *Node) walk(visit func(*Node)) {
	visit(n)
	for _, child := range n.Children {
		child.walk(visit)
	}
}
