package checkerboard

import (
	"fmt"

	"qhsh/engine/checkers"
	"qhsh/pluginclient"
	"qhsh/pluginclient/protocol/checkerboard/abi"
)

// LegalMove finds the legal move that an engine has answered with: by its board, which most engines
// change, and by its CBmove, which English ones do not touch. Where there are both they have to be
// the same move; some engines leave the board as it was. An error has all that came.
func (p *Answer) LegalMove(b *checkers.Board) (checkers.Move, error) {
	byBoard, changed := p.movesByBoard(b)
	if !p.HasCBmove || b.Variant() == checkers.English && len(byBoard) > 0 {
		switch {
		case len(byBoard) > 0:
			return byBoard[0], nil
		case !changed:
			return 0, p.illegal(b, "it has not moved")
		}
		return 0, p.illegal(b, "no legal move leads to its board")
	}
	m, err := p.Move.Read(b)
	switch {
	case err != nil && changed && len(byBoard) == 0:
		return 0, p.illegal(b, "neither its board nor its CBmove is that of a legal move")
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
	return 0, p.illegal(b, "its CBmove is "+b.Format(m)+", which does not lead to its board")
}

// movesByBoard are the legal moves that lead to the answer's board. Captures that differ in what nobody
// sees on the board are all there. It reports whether the engine has changed the board.
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

// illegal is the error of an answer, with all that is known of it.
func (p *Answer) illegal(b *checkers.Board, why string) error {
	before := abi.BoardOf(b)
	cbmove := "untouched"
	if p.HasCBmove {
		cbmove = abi.FormatInts(p.Move.Ints())
	}
	return fmt.Errorf("%w: %s: before %s, which is %s; after %s; CBmove %s; returned %d", pluginclient.ErrIllegal, why,
		b, abi.FormatInts(before.Ints()), abi.FormatInts(p.Board.Ints()), cbmove, p.Result)
}
