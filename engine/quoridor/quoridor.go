// Package quoridor is the game of Quoridor for two: its rules on boards of 3 to 25
// cells a side, its positions and its notation of moves, as the Quoridor Text Protocol
// (QTP, 2015) and the engine and referee of its authors have them.
//
// Black's pawn begins in the middle of the top row, moves first and wants to reach row
// 1; White's begins in the middle of row 1 and wants to reach the top. (On a board of
// even size the middle is the column after the centre.) A turn is a step of the pawn or
// a wall:
//
//   - A pawn steps to a neighbouring cell, not through a wall. Over the other pawn it
//     jumps straight; only where that is barred, by a wall or by the edge of the board,
//     to the cell left or right of the other pawn, unless a wall is between those two.
//   - A wall is two cells long, and lies in the grooves around a centre where four
//     cells meet. It may not cross another wall, nor lie on half of one, and both pawns
//     must still have a way to their goal row; pawns are not in the way then.
//
// Who first stands on his goal row has won. There is no pass and no draw, and a pawn is
// never shut in: where its only way out is through the other pawn, either that pawn's
// cell has another way out, and a jump leads there, or the other pawn's way to its goal
// leads through the first one's cell and on, which is a second way out.
//
// A vertex is a cell's name, the column's letter (no letter is left out) and the row's
// number: A1 is at the lower left. A wall is named by the cell to the upper left of its
// centre, so B5 h lies below B5 and C5, and B4 v to the right of B4 and B3.
//
// A [Position] is the immutable value of the contract, with its history; [Rules] is the
// game. A [Board] is the same to make moves on, for a search or a count of many
// positions. Boards are plain values: who wants to take a move back keeps a copy.
//
// The board is held in rows of bits, so that a question about a whole row costs a few
// instructions: what has been reached of a row spreads sideways and into the next one
// between two sweeps (path.go). Whether a wall bars the way is only looked into where it
// can: it has to join two things that already stand, the edge of the board among them,
// and to cut a shortest way that is known (walls.go).
//
// Either colour may be made to move twice, since the protocol allows it: an [Action]
// says whose it is, and Position.Play and Board.Check take either side's. Moves lists
// those of the side to move alone.
package quoridor

import (
	"fmt"
	"strings"

	"qhsh/engine"
)

// The smallest and the largest board, in cells a side, and the most walls that a side
// can be given, which is the largest int of the protocol.
const (
	MinSize  = 3
	MaxSize  = 25
	MaxWalls = 1<<31 - 1
)

// Rules are the game on a board of Size x Size cells with Walls walls for each side.
type Rules struct {
	Size  int // MinSize to MaxSize
	Walls int // 0 to MaxWalls
}

// Default is the standard game: 9 x 9 cells, 10 walls each.
var Default = Rules{Size: 9, Walls: 10}

var (
	_ engine.Game      = Rules{}
	_ engine.SideNamer = Rules{}

	_ engine.MoveJoiner = Rules{}
)

// DefaultWalls returns the number of walls that the protocol's referee gives each side by default:
// 7/4 of the size, less 23/4, rounded down.
func DefaultWalls(size int) int { return max(0, (7*size-23)/4) }

// NewRules checks a size and a number of walls.
func NewRules(size, walls int) (Rules, error) {
	switch {
	case size < MinSize || size > MaxSize:
		return Rules{}, fmt.Errorf("size %d: want %d to %d", size, MinSize, MaxSize)
	case walls < 0 || walls > MaxWalls:
		return Rules{}, fmt.Errorf("%d walls: want 0 to %d", walls, MaxWalls)
	}
	return Rules{size, walls}, nil
}

// Name returns "quoridor".
func (r Rules) Name() string { return "quoridor" }

// SideName returns "black" or "white".
func (r Rules) SideName(side engine.Turn) string { return ColourName(side) }

// JoinMoves joins an orientation with the vertex before it, as the protocol writes walls: E8, B3, h
// are the step "E8" and the wall "B3 h".
func (r Rules) JoinMoves(words []string) []string {
	var moves []string
	for _, word := range words {
		if last := len(moves) - 1; last >= 0 {
			_, noOrientation := ParseOrientation(word)
			_, noVertex := ParseVertex(moves[last][strings.IndexByte(moves[last], ':')+1:]) // perhaps behind a side
			if noOrientation == nil && noVertex == nil {
				moves[last] += " " + word
				continue
			}
		}
		moves = append(moves, word)
	}
	return moves
}

// Start returns the position that a game begins from.
func (r Rules) Start() engine.Position { return NewPosition(NewBoard(r)) }

// Position reads a position's text form (see [Position.String]) or the word startpos.
func (r Rules) Position(text string) (engine.Position, error) {
	if text == "startpos" {
		return r.Start(), nil
	}
	b, err := ParseBoard(text)
	if err != nil {
		return nil, err
	}
	return NewPosition(b), nil
}
