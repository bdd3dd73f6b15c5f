// Package record reads and writes the records of games, whatever the game.
//
// A [Game] is a start position, tags, a result, and a tree of moves. Each [Node] is a move with its comments and its
// possible replies, the one that was played first. The root is the start position, so there may be several first moves.
//
// A [Library] has the file formats of a game, for every game [PGN], [JSON], [Moves] and [Zip]. It needs only the
// engine.Game; a [Description] can add more. Those three are read one game at a time, so a file of any size needs the
// memory of its largest game; other formats are read into memory.
//
// In PGN a move is one word: its spaces are written as _. A chance move is a comment such as {chance: roll 2}, which
// programs without chance ignore; if it is missing, the moves after it cannot be read.
//
// Damage, such as an illegal move, is reported and does not hide the rest: if a game cannot be read to its end, Read
// yields its beginning with an [Error] that has the location, and continues. In a variation only the rest of that
// variation is lost. PGN and plain moves have no end mark, so truncation is detected only within a move, a comment or
// a variation. A [Library.Lenient] library keeps an illegal move and the moves after it as a comment.
//
// A file is UTF-16 or has one encoding a game, the one of [Decoder]: if a game is ambiguous, the beginning of the file
// and the games before it decide, and else the best is a guess, which [Library.OnGuess] tells. [Library.WithEncoding]
// replaces the detection.
package record

import (
	"iter"
	"slices"

	"qhsh/engine"
)

// A Game is the record of a game.
type Game struct {
	Start  engine.Position // without a history
	Tags   Tags
	Root   *Node          // the start: its Move is not set
	Result engine.Outcome // Ongoing if unknown
}

// NewGame returns a game without moves.
func NewGame(start engine.Position) *Game { return &Game{Start: start, Root: &Node{}} }

// FromPosition returns the game that led to a position, without tags. Its result is set if the
// rules have ended it.
func FromPosition(p engine.Position) *Game {
	start, moves := p.History()
	g := NewGame(start)
	g.Root.AppendLine(moves)
	g.Result = p.Result().Outcome
	return g
}

// A Node is a move of a game.
type Node struct {
	Move            engine.Move // the move that led here; not set at the root
	StartingComment string      // comment before the move, at the start of a variation
	Comment         string      // after the move; at the root, about the game
	Glyphs          []uint8     // annotation glyphs as PGN numbers them: 1 is !, 2 is ?
	Next            []*Node     // the children, main move first
}

// Add returns the child for a move, and adds it if there is none. It does not check legality.
func (n *Node) Add(m engine.Move) *Node {
	if i := slices.IndexFunc(n.Next, func(next *Node) bool { return next.Move == m }); i >= 0 {
		return n.Next[i]
	}
	return n.Append(m)
}

// Append adds a child even if the move is already there: a file may have it twice with different
// continuations.
func (n *Node) Append(m engine.Move) *Node {
	next := &struct {
		Node
		first [1]*Node // most moves are followed by one: room for it costs no memory of its own
	}{Node: Node{Move: m}}
	next.Next = next.first[:0]
	n.Next = append(n.Next, &next.Node)
	return &next.Node
}

// AppendLine adds moves, each as a child of the one before, and returns the last.
func (n *Node) AppendLine(moves []engine.Move) *Node {
	for _, m := range moves {
		n = n.Append(m)
	}
	return n
}

// Promote makes child i the first one. The others keep their order.
func (n *Node) Promote(i int) {
	child := n.Next[i]
	n.Next = slices.Insert(slices.Delete(n.Next, i, i+1), 0, child)
}

// AddComment adds a line to the comment after the move.
func (n *Node) AddComment(text string) { n.Comment = JoinLines(n.Comment, text) }

// JoinLines joins two texts by a newline; either may be empty.
func JoinLines(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "\n" + b
}

// MergeRepeated merges children of a node that are the same move: a file may have it twice with
// different continuations. Afterwards the moves that lead to a node determine it. Nothing is lost.
func (g *Game) MergeRepeated() {
	g.Walk(func(n *Node) bool {
		if len(n.Next) < 2 {
			return true
		}
		all := n.Next
		n.Next = nil
		for _, next := range all {
			i := slices.IndexFunc(n.Next, func(other *Node) bool { return other.Move == next.Move })
			if i < 0 {
				n.Next = append(n.Next, next)
				continue
			}
			same := n.Next[i]
			same.StartingComment = JoinLines(same.StartingComment, next.StartingComment)
			same.AddComment(next.Comment)
			for _, glyph := range next.Glyphs {
				if !slices.Contains(same.Glyphs, glyph) {
					same.Glyphs = append(same.Glyphs, glyph)
				}
			}
			same.Next = append(same.Next, next.Next...)
		}
		return true
	})
}

// Clone returns a deep copy.
func (g *Game) Clone() *Game {
	clone := *g
	clone.Root, clone.Tags = new(*g.Root), slices.Clone(g.Tags)
	clone.Walk(func(n *Node) bool {
		n.Glyphs, n.Next = slices.Clone(n.Glyphs), slices.Clone(n.Next)
		for i, next := range n.Next {
			n.Next[i] = new(*next)
		}
		return true
	})
	return &clone
}

// MainLine returns the moves of the main line.
func (g *Game) MainLine() []engine.Move {
	var moves []engine.Move
	for n := g.Root; len(n.Next) > 0; {
		n = n.Next[0]
		moves = append(moves, n.Move)
	}
	return moves
}

// Plies returns the number of moves in the main line.
func (g *Game) Plies() int { return len(g.MainLine()) }

// Walk visits the nodes of a game: the root, then each move before its children, the main one
// first. It descends below a node only if f returns true.
func (g *Game) Walk(f func(*Node) bool) {
	pending := []*Node{g.Root}
	for len(pending) > 0 {
		n := pending[len(pending)-1]
		pending = pending[:len(pending)-1]
		if !f(n) {
			continue
		}
		pending = append(pending, n.Next...)
		slices.Reverse(pending[len(pending)-len(n.Next):])
	}
}

// HasNotes reports whether a game has variations, comments or glyphs.
func (g *Game) HasNotes() bool {
	found := false
	g.Walk(func(n *Node) bool {
		found = found || len(n.Next) > 1 || n.StartingComment+n.Comment != "" || len(n.Glyphs) > 0
		return !found
	})
	return found
}

// Positions yields the nodes of a game with the positions after their moves, in the order of Walk;
// only the main line if variations is false. Illegal moves and what follows them are left out.
func (g *Game) Positions(variations bool) iter.Seq2[*Node, engine.Position] {
	type step struct {
		node *Node
		pos  engine.Position
	}
	return func(yield func(*Node, engine.Position) bool) {
		pending := []step{{g.Root, g.Start}}
		for len(pending) > 0 {
			s := pending[len(pending)-1]
			pending = pending[:len(pending)-1]
			if !yield(s.node, s.pos) {
				return
			}
			next := s.node.Next
			if !variations {
				next = next[:min(1, len(next))]
			}
			for _, n := range slices.Backward(next) {
				if pos, err := s.pos.Play(n.Move); err == nil {
					pending = append(pending, step{n, pos})
				}
			}
		}
	}
}
