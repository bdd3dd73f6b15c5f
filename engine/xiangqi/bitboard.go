package xiangqi

import (
	"iter"
	"math/bits"
)

// A Bitboard is a set of points. The lower half holds ranks 0 to 4 and the upper
// half ranks 5 to 9, 45 bits each, so that no rank straddles the two words and
// each king's palace lies in one of them.
type Bitboard struct{ lo, hi uint64 }

const (
	halfSize = 45              // points in half a board
	halfMask = 1<<halfSize - 1 // a half with every point set
)

// points has the set of each single point.
var points = func() (table [90]Bitboard) {
	for sq := range table {
		if sq < halfSize {
			table[sq].lo = 1 << sq
		} else {
			table[sq].hi = 1 << (sq - halfSize)
		}
	}
	return table
}()

// SquareBB returns the set of one point.
func SquareBB(sq Square) Bitboard { return points[sq] }

// allSquares returns the set of all 90 points.
func allSquares() Bitboard { return Bitboard{halfMask, halfMask} }

// And returns the intersection.
func (b Bitboard) And(c Bitboard) Bitboard { return Bitboard{b.lo & c.lo, b.hi & c.hi} }

// Or returns the union.
func (b Bitboard) Or(c Bitboard) Bitboard { return Bitboard{b.lo | c.lo, b.hi | c.hi} }

// Xor returns the points in exactly one of the sets.
func (b Bitboard) Xor(c Bitboard) Bitboard { return Bitboard{b.lo ^ c.lo, b.hi ^ c.hi} }

// AndNot returns the points of b that are not in c.
func (b Bitboard) AndNot(c Bitboard) Bitboard { return Bitboard{b.lo &^ c.lo, b.hi &^ c.hi} }

// Empty reports whether the set is empty.
func (b Bitboard) Empty() bool { return b.lo|b.hi == 0 }

// Intersects reports whether the sets have a point in common.
func (b Bitboard) Intersects(c Bitboard) bool { return b.lo&c.lo|b.hi&c.hi != 0 }

// Has reports whether a point is in the set.
func (b Bitboard) Has(sq Square) bool { return b.Intersects(points[sq]) }

// Count returns the number of points in the set.
func (b Bitboard) Count() int { return bits.OnesCount64(b.lo) + bits.OnesCount64(b.hi) }

// First returns the lowest point of a set that is not empty.
func (b Bitboard) First() Square {
	if b.lo != 0 {
		return Square(bits.TrailingZeros64(b.lo))
	}
	return Square(halfSize + bits.TrailingZeros64(b.hi))
}

// Next returns the lowest point of a set that is not empty, and the rest of the set.
// A loop over a set is
//
//	for set := b; !set.Empty(); {
//		var sq Square
//		sq, set = set.Next()
//	}
func (b Bitboard) Next() (Square, Bitboard) {
	if b.lo != 0 {
		return Square(bits.TrailingZeros64(b.lo)), Bitboard{b.lo & (b.lo - 1), b.hi}
	}
	return Square(halfSize + bits.TrailingZeros64(b.hi)), Bitboard{0, b.hi & (b.hi - 1)}
}

// All yields the points of the set in ascending order.
func (b Bitboard) All() iter.Seq[Square] {
	return func(yield func(Square) bool) {
		for !b.Empty() {
			var sq Square
			sq, b = b.Next()
			if !yield(sq) {
				return
			}
		}
	}
}
