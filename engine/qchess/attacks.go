package qchess

import (
	"math/bits"

	"qhsh/engine"
)

// directions are the directions of a queen: first those of a rook, then those of a bishop.
var directions = [8][2]int{{1, 0}, {0, 1}, {-1, 0}, {0, -1}, {1, 1}, {-1, 1}, {-1, -1}, {1, -1}}

// ascending reports whether the square numbers increase in a direction.
var ascending = [8]bool{true, true, false, false, true, true, false, false}

var (
	rays        [8][64]uint64
	kingSteps   [64]uint64
	knightLeaps [64]uint64
	pawnTakes   [2][64]uint64 // by side
)

func init() {
	for s := range Square(64) {
		for d, step := range directions {
			for n := 1; n < 8; n++ {
				rays[d][s] |= squareAtOffset(s, step[0]*n, step[1]*n)
			}
			kingSteps[s] |= squareAtOffset(s, step[0], step[1])
		}
		for _, leap := range [][2]int{{1, 2}, {2, 1}, {2, -1}, {1, -2}, {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}} {
			knightLeaps[s] |= squareAtOffset(s, leap[0], leap[1])
		}
		pawnTakes[White][s] = squareAtOffset(s, -1, -1) | squareAtOffset(s, 1, -1)
		pawnTakes[Black][s] = squareAtOffset(s, -1, 1) | squareAtOffset(s, 1, 1)
	}
}

// squareAtOffset returns the set of the square at an offset; empty if it is outside the board.
func squareAtOffset(s Square, dx, dy int) uint64 {
	x, y := s.X()+dx, s.Y()+dy
	if x < 0 || x > 7 || y < 0 || y > 7 {
		return 0
	}
	return SquareAt(x, y).bit()
}

// slideAttacks returns the squares that a piece reaches in a range of directions, up to and
// including the first occupied one.
func slideAttacks(s Square, from, to int, taken uint64) (set uint64) {
	for d := from; d < to; d++ {
		ray := rays[d][s]
		if stop := ray & taken; stop != 0 {
			first := bits.TrailingZeros64(stop)
			if !ascending[d] {
				first = 63 - bits.LeadingZeros64(stop)
			}
			ray &^= rays[d][first]
		}
		set |= ray
	}
	return set
}

// Destinations returns the squares that the selected piece can move to, as a bitboard; empty if it
// has no definite kind yet.
func (b *Board) Destinations() uint64 {
	if b.selected < 0 {
		return 0
	}
	p := &b.pieces[b.selected]
	return b.reach(b.turn, p.Kind(), p.At)
}

func (b *Board) reach(side engine.Turn, k Kind, from Square) uint64 {
	all := b.occupied[White] | b.occupied[Black]
	if k == Pawn {
		return pawnReach(side, from, all, b.occupied[side.Other()])
	}
	return attacks(k, from, all) &^ b.occupied[side]
}

// attacks returns the squares that a piece other than a pawn reaches, up to and including the first
// occupied one in each direction.
func attacks(k Kind, from Square, taken uint64) uint64 {
	switch k {
	case King:
		return kingSteps[from]
	case Queen:
		return slideAttacks(from, 0, 8, taken)
	case Rook:
		return slideAttacks(from, 0, 4, taken)
	case Bishop:
		return slideAttacks(from, 4, 8, taken)
	case Knight:
		return knightLeaps[from]
	}
	return 0
}

// pawnReach returns the destinations of a pawn: one square ahead, two from its second row, and
// diagonal captures.
func pawnReach(side engine.Turn, from Square, all, enemies uint64) uint64 {
	ahead, second := from.bit()>>8, 6
	if side == Black {
		ahead, second = from.bit()<<8, 1
	}
	set := ahead &^ all
	if set != 0 && from.Y() == second {
		far := set >> 8
		if side == Black {
			far = set << 8
		}
		set |= far &^ all
	}
	return set | pawnTakes[side][from]&enemies
}
