package quoridor

import (
	"math/bits"

	"qhsh/engine"
)

// AppendSteps appends the steps of a side's pawn, whether or not it is to move.
func (b *Board) AppendSteps(to []Action, side engine.Turn) []Action {
	var room [maxSteps]Cell
	for _, c := range b.appendSteps(room[:0], side) {
		to = append(to, NewAction(side, Step, c))
	}
	return to
}

// AppendWalls appends the walls that a side can build, whether or not it is to move: horizontal
// ones first, from A up.
func (b *Board) AppendWalls(to []Action, side engine.Turn) []Action {
	return b.appendWalls(to, side, nil)
}

func (b *Board) appendWalls(to []Action, side engine.Turn, paths *[2]Path) []Action {
	if b.left[side] <= 0 {
		return to
	}
	horizontal, vertical := b.legalWalls(paths)
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

// AppendMoves appends the legal moves of the side to move, steps first; none if the game is over.
func (b *Board) AppendMoves(to []Action) []Action { return b.AppendMovesWithPaths(to, nil) }

// AppendMovesWithPaths is AppendMoves with known shortest paths of both sides, which may be nil.
func (b *Board) AppendMovesWithPaths(to []Action, paths *[2]Path) []Action {
	if _, over := b.Winner(); over {
		return to
	}
	return b.appendWalls(b.AppendSteps(to, b.turn), b.turn, paths)
}
