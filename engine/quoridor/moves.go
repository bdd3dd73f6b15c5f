package quoridor

import (
	"math/bits"

	"qhsh/engine"
)

// AppendSteps appends the steps of a side's pawn, whoever's turn it is.
func (b *Board) AppendSteps(to []Action, side engine.Turn) []Action {
	var room [maxSteps]Cell
	for _, c := range b.appendSteps(room[:0], side) {
		to = append(to, NewAction(side, Step, c))
	}
	return to
}

// AppendWalls appends the walls that a side can build, whoever's turn it is: the
// horizontal ones first, from A up.
func (b *Board) AppendWalls(to []Action, side engine.Turn) []Action {
	if b.left[side] <= 0 {
		return to
	}
	horizontal, vertical := b.legalWalls()
	to = appendCentres(to, horizontal[:b.size-1], side, Horizontal)
	return appendCentres(to, vertical[:b.size-1], side, Vertical)
}

func appendCentres(to []Action, rows []uint32, side engine.Turn, kind Kind) []Action {
	for r, row := range rows {
		for ; row != 0; row &= row - 1 {
			to = append(to, NewAction(side, kind, cellAt(r+1, bits.TrailingZeros32(row))))
		}
	}
	return to
}

// AppendMoves appends the legal moves of the side to move, steps first; none if somebody
// has won.
func (b *Board) AppendMoves(to []Action) []Action {
	if _, over := b.Winner(); over {
		return to
	}
	return b.AppendWalls(b.AppendSteps(to, b.turn), b.turn)
}

// countMoves is the number of moves that AppendMoves appends.
func (b *Board) countMoves() int {
	if _, over := b.Winner(); over {
		return 0
	}
	var room [maxSteps]Cell
	n := len(b.appendSteps(room[:0], b.turn))
	if b.left[b.turn] > 0 {
		horizontal, vertical := b.legalWalls()
		for r := range b.size - 1 {
			n += bits.OnesCount32(horizontal[r]) + bits.OnesCount32(vertical[r])
		}
	}
	return n
}

// Perft is the number of sequences of depth legal moves. A game that is over has none.
func Perft(b *Board, depth int) int64 {
	switch depth {
	case 0:
		return 1
	case 1:
		return int64(b.countMoves())
	}
	var nodes int64
	for _, a := range b.AppendMoves(nil) {
		next := *b
		next.Do(a)
		nodes += Perft(&next, depth-1)
	}
	return nodes
}
