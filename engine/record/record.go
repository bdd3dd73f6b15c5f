// Package record reads and writes the records of games, whatever the game.
//
// A [Game] is a start position, tags, a result, and a tree of moves: every [Node] is a move
// with its comments, and with the moves that may follow, the one that was played first.
// The root is the start itself, so that there may be several first moves.
//
// A [Library] has the forms of files in which a game is kept. It needs no more than the
// engine.Game, and takes a [Description] of what else is known. Every game has these forms:
//
//	PGN    tags, moves, variations, comments; many games
//	JSON   a game a line, in a form of our own; the games of a match of engines, too
//	moves  plain moves, perhaps behind a position, a game a line or one over many lines
//	zip    an archive of files in any of the forms; read only
//
// Games in PGN, JSON and moves are read as they are asked for, so a file of any size needs the
// memory of its largest game; files in other forms are held as a whole. A text is in UTF-8,
// UTF-16, GB18030 or Big5, which is found out.
//
// In PGN a move is a word: its blanks are written as _. A move of chance is a comment, such as
// {chance: roll 2}, which programs that know nothing of chance pass over; without it the moves
// behind it cannot be read. In JSON and among plain moves it is a move as any other.
//
// What is damaged is told and does not hide the rest: where a game cannot be read to its
// end, Read yields what there is of it together with an [Error] that names the place, and
// goes on. In a variation, only the rest of that variation is lost. An illegal move is such
// a damage. PGN and plain moves need no sign at their end, so that there only a cut within a
// move, a comment or a variation shows.
//
// A game's text alone may leave its encoding in doubt, if it has few characters that are not
// ASCII. Then the beginning of the file and the games before it decide; without them it is
// UTF-8 if it can be, unless that makes letters of a rare script out of what is Chinese
// otherwise.
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
	Result engine.Outcome // Ongoing where it is not known
}

// NewGame returns a game without moves.
func NewGame(start engine.Position) *Game { return &Game{Start: start, Root: &Node{}} }

// FromPosition returns the game that has led to a position, without tags. Its result is known if
// the rules have ended it.
func FromPosition(p engine.Position) *Game {
	start, moves := p.History()
	g := NewGame(start)
	n := g.Root
	for _, m := range moves {
		n = n.Append(m)
	}
	g.Result = p.Result().Outcome
	return g
}

// A Node is a move of a game.
type Node struct {
	Move            engine.Move // the move that led here; not set at the root
	StartingComment string      // a comment before the move, at the head of a variation
	Comment         string      // behind the move; at the root about the game
	Glyphs          []uint8     // annotation glyphs as PGN numbers them: 1 is !, 2 is ?
	Next            []*Node     // the moves that may follow, the main one first
}

// Add makes a move one of those that may follow, and answers its node: that which is
// there already, if it is. Whether it is legal is not asked.
func (n *Node) Add(m engine.Move) *Node {
	for _, next := range n.Next {
		if next.Move == m {
			return next
		}
	}
	return n.Append(m)
}

// Append returns Add for a move that may be there already: a file may hold it twice, with other
// moves behind it.
func (n *Node) Append(m engine.Move) *Node {
	next := &Node{Move: m}
	n.Next = append(n.Next, next)
	return next
}

// AddComment adds a line to the comment behind the move.
func (n *Node) AddComment(text string) { n.Comment = JoinLines(n.Comment, text) }

// JoinLines puts a text below another; either may be empty.
func JoinLines(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "\n" + b
}

// Clone returns a copy that shares nothing with the game that may change.
func (g *Game) Clone() *Game {
	first, clone := *g.Root, *g
	clone.Root, clone.Tags = &first, slices.Clone(g.Tags)
	for pending := []*Node{&first}; len(pending) > 0; { // the main line may be long, so it is no recursion
		n := pending[len(pending)-1]
		pending = pending[:len(pending)-1]
		n.Glyphs, n.Next = slices.Clone(n.Glyphs), slices.Clone(n.Next)
		for i, next := range n.Next {
			one := *next
			n.Next[i] = &one
			pending = append(pending, &one)
		}
	}
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
func (g *Game) Plies() int {
	count := 0
	for n := g.Root; len(n.Next) > 0; n = n.Next[0] {
		count++
	}
	return count
}

// Walk visits the nodes of a game: the root, then each move before those that may follow it, the
// main one first. It goes on behind a move only where f answers true.
func (g *Game) Walk(f func(*Node) bool) {
	pending := []*Node{g.Root}
	for len(pending) > 0 {
		n := pending[len(pending)-1]
		pending = pending[:len(pending)-1]
		if !f(n) {
			continue
		}
		for _, next := range slices.Backward(n.Next) {
			pending = append(pending, next)
		}
	}
}

// Positions returns the nodes of a game with the positions behind their moves, in the order of
// Walk. Without variations they are those of the main line. A move that is illegal is left out
// with what follows it.
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
