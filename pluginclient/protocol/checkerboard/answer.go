package checkerboard

import (
	"fmt"

	"qhsh/engine/checkers"
	"qhsh/pluginclient"
	"qhsh/pluginclient/protocol/checkerboard/abi"
)

// LegalMove returns the legal move that an engine has answered with: by its board, which most
// engines change, and by its CBmove, which English ones do not set. If both are set, they must be
// the same move, but some engines leave the board unchanged. The error contains the whole answer.
func (p *Answer) LegalMove(b *checkers.Board) (checkers.Move, error) {
	byBoard, changed := p.movesByBoard(b)
	if !p.HasCBmove || b.Variant() == checkers.English && len(byBoard) > 0 {
		switch {
		case len(byBoard) > 0:
			return byBoard[0], nil
		case !changed:
			return 0, p.illegal(b, "no move was made")
		}
		return 0, p.illegal(b, "no legal move leads to the board")
	}
	m, err := p.Move.Read(b)
	switch {
	case err != nil && changed && len(byBoard) == 0:
		return 0, p.illegal(b, "neither the board nor the CBmove is that of a legal move")
	case err != nil:
		return 0, p.illegal(b, err.Error())
	case !changed:
		return m, nil
	}
	for _, same := range byBoard {
		if same == m {
			return m, nil
		}
	}
	return 0, p.illegal(b, "the CBmove "+b.Format(m)+" does not lead to the board")
}

// movesByBoard returns the legal moves that lead to the answer's board. Several captures may lead
// to the same board. changed reports whether the engine has changed the board.
func (p *Answer) movesByBoard(b *checkers.Board) (moves []checkers.Move, changed bool) {
	if p.Board == abi.BoardOf(b) {
		// A king may have captured in a circle only by removing pieces, which changes the board.
		return nil, false
	}
	for _, m := range b.AppendMoves(nil) {
		after := *b
		after.Do(m)
		if abi.BoardOf(&after) == p.Board {
			moves = append(moves, m)
		}
	}
	return moves, true
}

// illegal returns an error with the whole answer.
func (p *Answer) illegal(b *checkers.Board, why string) error {
	before := abi.BoardOf(b)
	cbmove := "untouched"
	if p.HasCBmove {
		cbmove = abi.FormatInts(p.Move.Ints())
	}
	return fmt.Errorf("%w: %s: before %s, which is %s; after %s; CBmove %s; returned %d", pluginclient.ErrIllegal, why,
		b, abi.FormatInts(before.Ints()), abi.FormatInts(p.Board.Ints()), cbmove, p.Result)
}
