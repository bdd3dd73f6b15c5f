package quoridor

import (
	"errors"
	"fmt"

	"qhsh/engine"
)

// A Board is a state of the game without its history. It is a value: assigning it copies it. The
// zero Board is invalid; use [NewBoard] or [ParseBoard].
type Board struct {
	size  int
	turn  engine.Turn
	pawns [2]Cell // by side
	left  [2]int  // walls, by side
	key   uint64

	// Walls by their centres. The centre between the columns c and c+1 and the rows r
	// and r+1 is bit c of row r.
	horizontal, vertical [MaxSize - 1]uint32

	// What the walls bar, and what they touch. Bit c of above[r]: the step between the
	// rows r and r+1 in column c; of beside[r]: between the columns c and c+1 in row r.
	// Bit c of touched[r]: the lower left corner of cell (r, c), where a wall or the
	// edge of the board is.
	blockedUp, blockedRight [MaxSize]uint32
	touched                 [MaxSize + 1]uint32
}

// NewBoard returns the board that a game begins from.
func NewBoard(r Rules) Board {
	middle := r.Size / 2
	b := Board{size: r.Size, left: [2]int{r.Walls, r.Walls}}
	b.pawns = [2]Cell{cellAt(r.Size-1, middle), cellAt(0, middle)}
	b.markEdge()
	b.key = b.hash()
	return b
}

// markEdge marks the edge of the board as touched.
func (b *Board) markEdge() {
	all := uint32(1)<<(b.size+1) - 1
	b.touched[0], b.touched[b.size] = all, all
	for r := 1; r < b.size; r++ {
		b.touched[r] = 1 | 1<<b.size
	}
}

// Size returns the number of cells a side.
func (b *Board) Size() int { return b.size }

// Turn returns the side to move, Black or White.
func (b *Board) Turn() engine.Turn { return b.turn }

// SetTurn sets the side to move.
func (b *Board) SetTurn(side engine.Turn) {
	if side != b.turn {
		b.turn = side
		b.key ^= turnKey
	}
}

// SetWalls sets the number of walls that a side has left.
func (b *Board) SetWalls(side engine.Turn, n int) {
	b.key ^= wallsKey(side, b.left[side]) ^ wallsKey(side, n)
	b.left[side] = n
}

// Pawn returns the cell of a side's pawn.
func (b *Board) Pawn(side engine.Turn) Cell { return b.pawns[side] }

// Walls returns the number of walls that a side has left.
func (b *Board) Walls(side engine.Turn) int { return b.left[side] }

// Goal returns a side's goal row, from 0.
func (b *Board) Goal(side engine.Turn) int {
	if side == Black {
		return 0
	}
	return b.size - 1
}

// Key is equal for boards that are equal.
func (b *Board) Key() uint64 { return b.key }

// Winner returns the winner and whether the game is over. The winner's pawn is on its goal row;
// Black wins if both are.
func (b *Board) Winner() (engine.Turn, bool) {
	for _, side := range [...]engine.Turn{Black, White} {
		if b.pawns[side].Row() == b.Goal(side) {
			return side, true
		}
	}
	return Black, false
}

// ErrIllegal is wrapped by the errors of illegal actions.
var ErrIllegal = errors.New("illegal move")

// Check returns why an action is illegal, and nil if it is legal, for either side and even if the
// game is over. The error wraps ErrIllegal.
func (b *Board) Check(a Action) error {
	why := ""
	if a.Kind() == Step {
		why = b.checkStep(a)
	} else {
		why = b.checkWall(a)
	}
	if why == "" {
		return nil
	}
	return fmt.Errorf("%s %v: %w: %s", ColourName(a.Side()), a, ErrIllegal, why)
}

// Do plays a legal action. The other side is to move afterwards.
func (b *Board) Do(a Action) {
	side := a.Side()
	if a.Kind() == Step {
		b.key ^= pawnKey(side, b.pawns[side]) ^ pawnKey(side, a.Cell())
		b.pawns[side] = a.Cell()
	} else {
		b.SetWalls(side, b.left[side]-1)
		r, c := a.Cell().Row()-1, a.Cell().Col() // of the wall's centre
		b.key ^= wallKey(a.Kind(), r, c)
		if a.Kind() == Horizontal {
			b.horizontal[r] |= 1 << c
			b.touched[r+1] |= 7 << c
		} else {
			b.vertical[r] |= 1 << c
			for row := r; row <= r+2; row++ {
				b.touched[row] |= 2 << c
			}
		}
		b.toggleSteps(a.Kind(), r, c)
	}
	b.SetTurn(side.Other())
}

// toggleSteps blocks or unblocks the steps that a wall around the centre (r, c) crosses. No two
// walls cross the same step.
func (b *Board) toggleSteps(kind Kind, r, c int) {
	if kind == Horizontal {
		b.blockedUp[r] ^= 3 << c
	} else {
		b.blockedRight[r] ^= 1 << c
		b.blockedRight[r+1] ^= 1 << c
	}
}

// The parts of the hash key are computed when needed: that is faster than looking them up in tables
// of this size.

const turnKey = 0x9e3779b97f4a7c15

func pawnKey(side engine.Turn, at Cell) uint64 { return mix(1<<20 | uint64(side)<<16 | uint64(at)) }
func wallKey(kind Kind, r, c int) uint64       { return mix(3<<20 | uint64(kind)<<16 | uint64(r<<5|c)) }

// wallsKey has the numbers that are too large for the low bits in the high ones.
func wallsKey(side engine.Turn, n int) uint64 {
	return mix(uint64(n>>16)<<32 | 2<<20 | uint64(side)<<16 | uint64(n&0xffff))
}

// mix returns the finalizer of SplitMix64 (Steele, Lea, Flood 2014).
func mix(x uint64) uint64 {
	x *= 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// hash returns the key from scratch.
func (b *Board) hash() uint64 {
	key := mix(4<<20 | uint64(b.size))
	if b.turn == White {
		key ^= turnKey
	}
	for _, side := range [...]engine.Turn{Black, White} {
		key ^= pawnKey(side, b.pawns[side]) ^ wallsKey(side, b.left[side])
	}
	for r := range b.size - 1 {
		for c := range b.size - 1 {
			if b.horizontal[r]>>c&1 != 0 {
				key ^= wallKey(Horizontal, r, c)
			}
			if b.vertical[r]>>c&1 != 0 {
				key ^= wallKey(Vertical, r, c)
			}
		}
	}
	return key
}
