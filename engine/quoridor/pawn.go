package quoridor

import (
	"slices"

	"qhsh/engine"
)

// A direction is one of four.
type direction uint8

const (
	up direction = iota
	right
	down
	left
)

// step returns the neighbour of c in a direction, and whether it is on the board and not behind a
// wall.
func (b *Board) step(c Cell, d direction) (Cell, bool) {
	row, col := c.Row(), c.Col()
	switch d {
	case up:
		return c + 32, row < b.size-1 && b.blockedUp[row]>>col&1 == 0
	case down:
		return c - 32, row > 0 && b.blockedUp[row-1]>>col&1 == 0
	case right:
		return c + 1, col < b.size-1 && b.blockedRight[row]>>col&1 == 0
	}
	return c - 1, col > 0 && b.blockedRight[row]>>(col-1)&1 == 0
}

// maxSteps is the most cells that a pawn can go to: three beside the other pawn's, and
// two around that.
const maxSteps = 5

// appendSteps appends the cells that a side's pawn can go to.
func (b *Board) appendSteps(to []Cell, side engine.Turn) []Cell {
	other := b.pawns[side.Other()]
	for d := up; d <= left; d++ {
		next, ok := b.step(b.pawns[side], d)
		switch {
		case !ok:
		case next != other:
			to = append(to, next)
		default:
			to = b.appendJumps(to, d, other)
		}
	}
	return to
}

// appendJumps appends the cells that a jump in a direction over the other pawn leads
// to. Two ways cannot lead to one cell: they would both have to be neighbours of the
// jumper's, along with the other pawn's.
func (b *Board) appendJumps(to []Cell, d direction, over Cell) []Cell {
	if straight, ok := b.step(over, d); ok {
		return append(to, straight)
	}
	for _, turn := range [...]direction{1, 3} {
		if aside, ok := b.step(over, (d+turn)%4); ok {
			to = append(to, aside)
		}
	}
	return to
}

func (b *Board) checkStep(a Action) string {
	var room [maxSteps]Cell
	switch c := a.Cell(); {
	case slices.Contains(b.appendSteps(room[:0], a.Side()), c):
		return ""
	case c.Row() >= b.size || c.Col() >= b.size:
		return "off the board"
	case c == b.pawns[a.Side().Other()]:
		return "the other pawn stands there"
	}
	return "the pawn on " + b.pawns[a.Side()].String() + " cannot get there"
}
