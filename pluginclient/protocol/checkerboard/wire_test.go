package checkerboard_test

import (
	"errors"
	"slices"
	"testing"

	"qhsh/engine"
	"qhsh/engine/checkers"
	"qhsh/pluginclient"
	"qhsh/pluginclient/protocol/checkerboard"
	"qhsh/pluginclient/protocol/checkerboard/abi"
)

// FuzzAnswer: whatever the process of a library answers to getmove, the move read from it is legal,
// or the error is one of the two kinds that a search has.
func FuzzAnswer(f *testing.F) {
	for _, v := range checkers.Variants() {
		for _, p := range checkers.Samples(v)[:4] {
			board := p.Board()
			m := board.AppendMoves(nil)[0]
			move := abi.MoveOf(&board, m)
			board.Do(m)
			after := abi.BoardOf(&board)
			for _, cbmove := range []string{"-", move.Wire()} {
				f.Add(byte(v), "3 0 "+after.Wire()+" "+cbmove+" depth 3")
			}
		}
	}
	f.Add(byte(checkers.Russian), "3 0")
	f.Add(byte(checkers.Italian), "x 0 1,2 - text")
	f.Fuzz(func(t *testing.T, variant byte, text string) {
		answer, err := checkerboard.ParseAnswer(text)
		if err != nil {
			if !errors.Is(err, pluginclient.ErrInvalidReply) {
				t.Errorf("%q: %v", text, err)
			}
			return
		}
		v := checkers.Variants()[int(variant)%len(checkers.Variants())]
		for _, p := range checkers.Samples(v)[:4] {
			board := p.Board()
			m, err := answer.LegalMove(&board)
			switch {
			case err != nil && !errors.Is(err, pluginclient.ErrIllegal):
				t.Errorf("%q: %v", text, err)
			case err == nil && !slices.Contains(p.Moves(), engine.Move(m)):
				t.Errorf("%q: %v is not legal in %v", text, m, p)
			}
		}
	})
}
