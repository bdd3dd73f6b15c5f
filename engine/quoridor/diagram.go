package quoridor

import (
	"fmt"
	"strings"

	"qhsh/engine"
)

// Diagram returns the board as the protocol's authors draw it: pawns B and W, walls of = and H, and
// the walls left beside the two top rows.
func (b *Board) Diagram() string {
	var s strings.Builder
	letters := "     "
	for c := range b.size {
		letters += string(rune('A'+c)) + "   "
	}
	s.WriteString(letters + "\n")
	for r := b.size - 1; r >= 0; r-- {
		s.WriteString("   ") // what is above the row
		for c := range b.size {
			switch inside := r < b.size-1 && c > 0; {
			case inside && b.horizontal[r]>>(c-1)&1 != 0:
				s.WriteByte('=')
			case inside && b.vertical[r]>>(c-1)&1 != 0:
				s.WriteByte('H')
			default:
				s.WriteByte('+')
			}
			if b.blockedUp[r]>>c&1 != 0 {
				s.WriteString("===")
			} else {
				s.WriteString("---")
			}
		}
		s.WriteString("+\n")
		b.row(&s, r)
	}
	s.WriteString("   " + strings.Repeat("+---", b.size) + "+\n" + letters + "\n")
	return s.String()
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
