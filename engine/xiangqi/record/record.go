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
	"slices"

	"qhsh/engine"
	"qhsh/engine/record"
	"qhsh/engine/xiangqi"
)

// The record of a game, as package record has it. Start is a *xiangqi.Position.
type (
	Game = record.Game
	Node = record.Node
	Tags = record.Tags
	Tag  = record.Tag
)

// startPos is where a game begins.
func startPos(g *Game) *xiangqi.Position { return g.Start.(*xiangqi.Position) }

// Walk visits the nodes of a game with the board as it is after their moves: the root, then
// each move before those that may follow it, the main one first. It goes on behind a
// move only where f answers true. The board belongs to Walk.
func Walk(g *Game, f func(n *Node, b *xiangqi.Board) bool) {
	b := startPos(g).Board()
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
			b.Do(xiangqi.Move(s.node.Move))
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

// outcomeOf is the result that the programs XQStudio and CCBridge have as a number.
func outcomeOf(code byte) engine.Outcome {
	switch code {
	case 1:
		return engine.FirstWins
	case 2:
		return engine.SecondWins
	case 3, 4:
		return engine.Draw
	}
	return engine.Ongoing
}
