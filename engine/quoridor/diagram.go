package quoridor

import (
	_ "embed"
	"fmt"
	"strings"

	"qhsh/engine"
)

// Diagram returns the board as the protocol's authors draw it: pawns B and W, walls of = and H, and
// the walls left beside the two top rows.
func (b *Board) Diagram() string {
	var s strings.Builder
	b.letters(&s)
	for r := b.size - 1; r >= 0; r-- {
		b.groove(&s, r)
		b.row(&s, r)
	}
	s.WriteString("   " + strings.Repeat("+---", b.size) + "+\n")
	b.letters(&s)
	return s.String()
}

func (b *Board) letters(s *strings.Builder) {
	s.WriteString("     ")
	for c := range b.size {
		s.WriteByte('A' + byte(c))
		s.WriteString("   ")
	}
	s.WriteByte('\n')
}

// groove draws what is above a row.
func (b *Board) groove(s *strings.Builder, r int) {
	s.WriteString("   ")
	for c := range b.size {
		corner := "+"
		if r < b.size-1 && c > 0 {
			corner = b.corner(r, c-1)
		}
		s.WriteString(corner)
		if b.blockedUp[r]>>c&1 != 0 {
			s.WriteString("===")
		} else {
			s.WriteString("---")
		}
	}
	s.WriteString("+\n")
}

func (b *Board) corner(r, c int) string {
	switch {
	case b.horizontal[r]>>c&1 != 0:
		return "="
	case b.vertical[r]>>c&1 != 0:
		return "H"
	}
	return "+"
}

func (b *Board) row(s *strings.Builder, r int) {
	fmt.Fprintf(s, "%2d ", r+1)
	for c := range b.size {
		if c > 0 && b.blockedRight[r]>>(c-1)&1 != 0 {
			s.WriteByte('H')
		} else {
			s.WriteByte('|')
		}
		switch cellAt(r, c) {
		case b.pawns[Black]:
			s.WriteString(" B ")
		case b.pawns[White]:
			s.WriteString(" W ")
		default:
			s.WriteString("   ")
		}
	}
	fmt.Fprintf(s, "| %d", r+1)
	for _, side := range [...]engine.Turn{Black, White} {
		if r == b.size-1-int(side) {
			fmt.Fprintf(s, "  %s walls: %2d", ColourName(side), b.left[side])
		}
	}
	s.WriteByte('\n')
}

//go:embed board.js
var boardJS string

// Script returns JavaScript for a page. It defines board, as package games describes it, with the
// rules. A click in a cell moves the pawn there; one in a groove builds a wall that begins there and
// goes to the right or downwards.
func Script() string { return boardJS }
