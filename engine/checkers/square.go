package checkers

import (
	"fmt"
	"math/bits"
	"strconv"
	"strings"

	"qhsh/engine"
)

// A Square is one of the 32 dark squares, as the index of its bit in a Set: the order is that of
// English numbering, with a gap after every eighth square.
type Square uint8

// squareAt returns the square of an index from 0 to 31, which is the English number minus one.
func squareAt(i int) Square { return Square(i + i/8) }

// index returns the English number minus one.
func (s Square) index() int { return int(s) - int(s)/9 }

// XY returns the column and row as in the CheckerBoard API: (0, 0) is at Black's end of the board.
func (s Square) XY() (x, y int) {
	i := s.index()
	y = i / 4
	return 2*(3-i%4) + y%2, y
}

// SquareXY returns the square at a column and row. ok is false for a light square and outside the
// board.
func SquareXY(x, y int) (Square, bool) {
	if x < 0 || x > 7 || y < 0 || y > 7 || (x+y)%2 != 0 {
		return 0, false
	}
	return squareAt(4*y + 3 - x/2), true
}

// Number returns the number of a square in the variant, from 1 to 32.
func (v Variant) Number(s Square) int { return v.renumbered(s.index()) + 1 }

// Square returns the square with a number from 1 to 32.
func (v Variant) Square(number int) (Square, bool) {
	if number < 1 || number > 32 {
		return 0, false
	}
	return squareAt(v.renumbered(number - 1)), true
}

// renumbered converts an index in the English order to one in the variant's order, and back: Italy exchanges left
// and right, Spain top and bottom.
func (v Variant) renumbered(i int) int {
	switch v {
	case Italian:
		return i/4*4 + 3 - i%4
	case Spanish:
		return 4*(7-i/4) + i%4
	}
	return i
}

// Algebraic returns the square's name in Russian and Brazilian notation, such as "c3".
func (s Square) Algebraic() string {
	x, y := s.XY()
	return string([]byte{byte('a' + 7 - x), byte('8' - y)})
}

// ParseSquare parses a square's number in the variant, or its algebraic name.
func (v Variant) ParseSquare(text string) (Square, error) {
	if len(text) == 2 && text[1] >= '1' && text[1] <= '8' {
		if file := text[0] | 0x20; file >= 'a' && file <= 'h' {
			if s, ok := SquareXY(int('h'-file), int('8'-text[1])); ok {
				return s, nil
			}
			return 0, fmt.Errorf("%s is a light square", strings.ToLower(text))
		}
	}
	if n, err := strconv.Atoi(text); err == nil && text[0] >= '0' && text[0] <= '9' {
		if s, ok := v.Square(n); ok {
			return s, nil
		}
	}
	return 0, fmt.Errorf("square %s: want 1 to 32", engine.Quote(text))
}

// A Set is a set of squares.
type Set uint64

// allSquares has a bit for each square of the board.
const allSquares Set = 0xff | 0xff<<9 | 0xff<<18 | 0xff<<27

// lastRow is the row where men of a colour are promoted, and beforeLast the row before it.
var (
	lastRow    = [2]Set{Black: 0xf << 31, White: 0xf}
	beforeLast = [2]Set{Black: 0xf << 27, White: 0xf << 4}
)

// One returns the set with one square.
func One(s Square) Set { return 1 << s }

func (b Set) Has(s Square) bool { return b>>s&1 != 0 }

// Len returns the number of squares.
func (b Set) Len() int { return bits.OnesCount64(uint64(b)) }

// First returns the lowest square; the set must not be empty.
func (b Set) First() Square { return Square(bits.TrailingZeros64(uint64(b))) }

// Squares returns the squares of the set in ascending order.
func (b Set) Squares() []Square {
	all := make([]Square, 0, b.Len())
	for ; b != 0; b &= b - 1 {
		all = append(all, b.First())
	}
	return all
}

// A direction is a diagonal step. Black's men move in the first two, White's in the others.
type direction uint8

const directions = 4

// forward has the range of directions of a colour's men.
var forward = [2]struct{ from, to direction }{Black: {0, 2}, White: {2, 4}}

// step moves all squares of a set in a direction. Squares that leave the board may become bits that
// are not squares.
func (b Set) step(d direction) Set {
	switch d {
	case 0:
		return b << 4
	case 1:
		return b << 5
	case 2:
		return b >> 4
	}
	return b >> 5
}

// back returns the opposite direction.
func (d direction) back() direction { return d ^ 2 }

// Steps returns the squares that men of a colour on the squares of the set can step to on an empty
// board.
func (b Set) Steps(c Colour) Set {
	if c == Black {
		return (b<<4 | b<<5) & allSquares
	}
	return (b>>4 | b>>5) & allSquares
}

// Neighbours returns the squares that kings on the squares of the set can step to on an empty
// board.
func (b Set) Neighbours() Set { return b.Steps(Black) | b.Steps(White) }

// Threatened reports whether the side that is not to move could capture if it were to move.
func (b *Board) Threatened() bool {
	other := *b
	other.turn = b.turn.Other()
	return other.CanCapture()
}

// RelativeIndex returns the number of a square, from 0 to 31, from a colour's point of view: 0 is
// on the right of its own back row, and each row has four.
func (s Square) RelativeIndex(c Colour) int {
	if c == Black {
		return s.index()
	}
	return 31 - s.index()
}
