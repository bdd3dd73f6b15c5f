package checkers

import (
	"fmt"
	"strings"
)

// Diagram draws the board as lines of text with algebraic coordinates: b and w are men, B and W
// kings, and a period is an empty dark square. White is at the bottom, or at the top if flip is
// set.
func (b *Board) Diagram(flip bool) string {
	var s strings.Builder
	for i := range 8 {
		y := i
		if flip {
			y = 7 - i
		}
		fmt.Fprintf(&s, "%d ", 8-y)
		for j := range 8 {
			x := 7 - j
			if flip {
				x = j
			}
			s.WriteByte(' ')
			s.WriteByte(b.letter(x, y))
		}
		s.WriteByte('\n')
	}
	files := "a b c d e f g h"
	if flip {
		files = "h g f e d c b a"
	}
	return s.String() + "   " + files + "\n"
}

// letter returns the character of a diagram at a column and a row.
func (b *Board) letter(x, y int) byte {
	s, dark := SquareXY(x, y)
	if !dark {
		return ' '
	}
	letter := byte('.')
	switch {
	case b.side[Black].Has(s):
		letter = 'b'
	case b.side[White].Has(s):
		letter = 'w'
	default:
		return letter
	}
	if b.kings.Has(s) {
		letter -= 'a' - 'A'
	}
	return letter
}
