package checkers

import (
	"fmt"
	"strings"
)

// A view is how a board is drawn: White is at the bottom, or at the top if flip is set. Italian and
// Spanish checkers are played with a dark corner on each player's right, so that their boards are
// mirrored. Their squares have only numbers.
type view struct{ flip, mirrored bool }

func (b *Board) view(flip bool) view { return view{flip, variantTable[b.variant].mirrored} }

// place returns the column from the left and the row from the top of a square's XY, and the other
// way round.
func (v view) place(x, y int) (int, int) {
	if v.flip {
		y = 7 - y
	}
	if v.flip == v.mirrored {
		x = 7 - x
	}
	return x, y
}

// Diagram draws the board as lines of text: b and w are men, B and W kings, and a period is an
// empty dark square. White is at the bottom, or at the top if flip is set. The coordinates are
// algebraic, or, in the variants that are drawn mirrored, the numbers of the first and the last
// dark square of each row.
func (b *Board) Diagram(flip bool) string {
	var s strings.Builder
	v := b.view(flip)
	for row := range 8 {
		line, numbers := "", []int(nil)
		for column := range 8 {
			x, y := v.place(column, row)
			line += " " + string(b.letter(x, y))
			if sq, dark := SquareXY(x, y); dark {
				numbers = append(numbers, b.variant.Number(sq))
			}
		}
		if v.mirrored {
			fmt.Fprintf(&s, "%2d %s %2d\n", numbers[0], line, numbers[3])
			continue
		}
		_, y := v.place(0, row)
		fmt.Fprintf(&s, "%d %s\n", 8-y, line)
	}
	switch {
	case v.mirrored:
	case flip:
		s.WriteString("   h g f e d c b a\n")
	default:
		s.WriteString("   a b c d e f g h\n")
	}
	return s.String()
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
