// Package record reads and writes records of games of Xiangqi: files in the forms that
// people have them in.
//
//	PGN       moves in any notation of package notation, variations, comments; many games
//	DhtmlXQ   the form of dpxq.com, alone or within a web page, variations, comments
//	JSON      a game a line, in a form of our own; the games of a match of engines, too
//	moves     plain moves, perhaps behind a FEN, a game a line or one over many lines
//	WXF       the export of WXF's and of XieXie's programs; read only
//	XQF       XQStudio 1.0 to 1.8 and later, plain and encrypted; read only
//	CBR, CBL  CCBridge's games and libraries, versions 1 and 2; read only
//	CBF       the XML of CCBridge; read only
//	zip       an archive of files in any of these forms; read only
//
// A [Game] is a start position, tags, a result, and a tree of moves: every [Node] is a move
// with its comments, and with the moves that may follow, the one that was played first.
// The root is the start itself, so that there may be several first moves.
//
// [Read] finds out by itself which form a file has and which encoding a text is in: UTF-8,
// UTF-16, GB18030 or Big5. It yields the games one after the other. Games in PGN, JSON and
// moves are read as they are asked for, so a file of any size needs the memory of its
// largest game; files in the other forms are held as a whole.
//
// What is damaged is told and does not hide the rest: where a game cannot be read to its
// end, Read yields what there is of it together with an [Error] that names the place, and
// goes on. In a variation, only the rest of that variation is lost. An illegal move is such
// a damage, as is a position in which no game can stand: a Game holds only positions and
// moves that package xiangqi takes. In the binary forms and in DhtmlXQ, what might have been
// played instead of an illegal move is kept, and takes its place. A file that breaks off is
// damaged, too; but PGN and plain moves need no sign at their end, so that there only a cut
// within a move, a comment or a variation shows.
//
// The games of a CBL come in the order in which CCBridge lists them, those that were deleted
// there are left out, and a game that its index promises but the file does not hold is an
// error, which also tells how many of them there are.
//
// A game's text alone may leave its encoding in doubt, if it has few characters that are not
// ASCII. Then the beginning of the file and the games before it decide; without them it is
// UTF-8 if it can be, unless that makes letters of a rare script out of what is Chinese
// otherwise.
//
// A form cannot always hold what a game has. DhtmlXQ has no annotation glyphs and no
// comments before a move, so both go into the comment behind it; plain moves are the main
// line alone.
package record

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	"qhsh/engine"
	"qhsh/engine/xiangqi"
)

// A Game is the record of a game.
type Game struct {
	Start  *xiangqi.Position // without a history
	Tags   Tags
	Root   *Node          // the start: its Move is not set
	Result engine.Outcome // Ongoing where it is not known
}

// NewGame is a game without moves.
func NewGame(start *xiangqi.Position) *Game { return &Game{Start: start, Root: &Node{}} }

// FromPosition is the game that has led to a position, without tags. Its result is known if
// the rules have ended it.
func FromPosition(p *xiangqi.Position) *Game {
	moves := make([]xiangqi.Move, 0, p.Ply())
	last := p
	for ; last.Before() != nil; last = last.Before() {
		m, _ := last.LastMove()
		moves = append(moves, m)
	}
	g := NewGame(last)
	n := g.Root
	for _, m := range slices.Backward(moves) {
		n = n.push(m)
	}
	g.Result = p.Result().Outcome
	return g
}

// A Node is a move of a game.
type Node struct {
	Move    xiangqi.Move // the move that led here; not set at the root
	Lead    string       // a comment before the move, at the head of a variation
	Comment string       // behind the move; at the root about the game
	Glyphs  []uint8      // annotation glyphs as PGN numbers them: 1 is !, 2 is ?
	Next    []*Node      // the moves that may follow, the main one first
}

// Add makes a move one of those that may follow, and answers its node: that which is
// there already, if it is. Whether it is legal is not asked.
func (n *Node) Add(m xiangqi.Move) *Node {
	for _, next := range n.Next {
		if next.Move == m {
			return next
		}
	}
	return n.push(m)
}

// push is Add for a move that may be there already: a file may hold it twice, with other
// moves behind it.
func (n *Node) push(m xiangqi.Move) *Node {
	next := &Node{Move: m}
	n.Next = append(n.Next, next)
	return next
}

// comment adds to the comment behind the move.
func (n *Node) comment(text string) { n.Comment = join(n.Comment, text) }

func join(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "\n" + b
}

// Clone is a copy that shares nothing with the game that may change.
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

// Main are the moves of the main line.
func (g *Game) Main() []xiangqi.Move {
	var moves []xiangqi.Move
	for n := g.Root; len(n.Next) > 0; {
		n = n.Next[0]
		moves = append(moves, n.Move)
	}
	return moves
}

// Plies is the number of moves in the main line.
func (g *Game) Plies() int {
	count := 0
	for n := g.Root; len(n.Next) > 0; n = n.Next[0] {
		count++
	}
	return count
}

// Walk visits the nodes of a game with the board as it is after their moves: the root, then
// each move before those that may follow it, the main one first. It goes on behind a
// move only where f answers true. The board belongs to Walk.
func (g *Game) Walk(f func(n *Node, b *xiangqi.Board) bool) {
	b := g.Start.Board()
	type step struct {
		node  *Node
		depth int // moves on the board before this one
	}
	pending := []step{{g.Root, 0}}
	depth := 0
	for len(pending) > 0 {
		s := pending[len(pending)-1]
		pending = pending[:len(pending)-1]
		for ; depth > s.depth; depth-- {
			b.Undo()
		}
		next := 0
		if s.node != g.Root {
			b.Do(s.node.Move)
			depth++
			next = depth
		}
		if !f(s.node, b) {
			continue
		}
		for _, n := range slices.Backward(s.node.Next) {
			pending = append(pending, step{n, next})
		}
	}
}

// Positions are the nodes of a game with the positions behind their moves, in the order of
// Walk. Without variations they are those of the main line.
func (g *Game) Positions(variations bool) iter.Seq2[*Node, *xiangqi.Position] {
	type step struct {
		node *Node
		pos  *xiangqi.Position
	}
	return func(yield func(*Node, *xiangqi.Position) bool) {
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
				if pos, err := s.pos.PlayMove(n.Move); err == nil {
					pending = append(pending, step{n, pos})
				}
			}
		}
	}
}

// Tags tell about a game, in the order in which they were read. Start position, result,
// notation and the name of the game are no tags.
type Tags []Tag

// A Tag is a name as PGN has it, such as Event, Red or Date, and a value in one line.
type Tag struct{ Name, Value string }

// mostTags is how many tags of a file a game keeps.
const mostTags = 500

var errTags = fmt.Errorf("there are more than %d tags: the others are left out", mostTags)

// Get is a tag's value; empty if there is none. The case of the name does not count.
func (t Tags) Get(name string) string {
	for _, tag := range t {
		if strings.EqualFold(tag.Name, name) {
			return tag.Value
		}
	}
	return ""
}

// Set sets a tag; an empty value removes it.
func (t *Tags) Set(name, value string) {
	i := slices.IndexFunc(*t, func(tag Tag) bool { return strings.EqualFold(tag.Name, name) })
	switch {
	case value == "" && i >= 0:
		*t = slices.Delete(*t, i, i+1)
	case value == "":
	case i >= 0:
		(*t)[i].Value = value
	default:
		*t = append(*t, Tag{name, value})
	}
}

// add sets a tag that has no value yet.
func (t *Tags) add(name, value string) {
	value = oneLine(value)
	if value != "" && t.Get(name) == "" {
		*t = append(*t, Tag{name, value})
	}
}

// oneLine is a text without line ends, control characters and blanks around it.
func oneLine(text string) string {
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(text, "\ufffd")))
}

// manyLines is a comment without control characters, carriage returns and blanks around
// it.
func manyLines(text string) string {
	text = strings.ReplaceAll(strings.ToValidUTF8(text, "\ufffd"), "\r\n", "\n")
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		switch {
		case r == '\r':
			return '\n'
		case r == '\n', r == '\t':
			return r
		case r < ' ', r == 0x7f:
			return -1
		}
		return r
	}, text))
}

// An Error tells where a file is damaged.
type Error struct {
	File   string
	Game   int   // from 1; 0 if the file holds one game, or it is not known
	Line   int   // of a text, from 1; 0 if the place is a byte
	Offset int64 // from the start of the file; -1 if it is not known
	Err    error
}

func (e *Error) Error() string {
	place := e.File
	switch {
	case e.Line > 0 && place == "":
		place = fmt.Sprintf("line %d", e.Line)
	case e.Line > 0:
		place += fmt.Sprintf(":%d", e.Line)
	}
	if place != "" {
		place += ": "
	}
	if e.Game > 0 {
		place += fmt.Sprintf("game %d: ", e.Game)
	}
	if e.Line == 0 && e.Offset >= 0 {
		place += fmt.Sprintf("byte %#x: ", e.Offset)
	}
	return place + e.Err.Error()
}

// Unwrap is what is wrong there.
func (e *Error) Unwrap() error { return e.Err }
