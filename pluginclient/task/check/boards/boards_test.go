package boards

import (
	"slices"
	"testing"

	"qhsh/engine"
	"qhsh/engine/xiangqi"
)

// TestForced checks the numbers of legal moves.
func TestForced(t *testing.T) {
	for _, pos := range slices.Concat(Forced, []*xiangqi.Position{OnlyElephant, LongLine}) {
		if n := len(pos.LegalMoves()); n != 1 {
			t.Errorf("%v: %d legal moves", pos, n)
		}
	}
	for n, list := range Chains {
		for _, c := range list {
			if moves := len(c.After(n).LegalMoves()); moves != 1 || c.After(2).Ply() != 2 {
				t.Errorf("%v: %d legal moves after %d", c.Start, moves, n)
			}
		}
	}
	for _, c := range Duels {
		if len(c.Start.LegalMoves()) != 1 || len(c.After(1).LegalMoves()) != 1 || c.After(2).Ply() != 2 {
			t.Errorf("%v", c.Start)
		}
	}
	for _, c := range Exchanges {
		if len(c.Start.LegalMoves()) != 1 || len(c.After(2).LegalMoves()) != 1 {
			t.Errorf("%v", c.Start)
		}
	}
}

// TestChoices checks that one of two moves mates.
func TestChoices(t *testing.T) {
	for _, c := range Choices {
		best, err := c.Pos.Parse(c.Best)
		other, otherErr := c.Pos.Parse(c.Other)
		if err != nil || otherErr != nil || len(c.Pos.LegalMoves()) != 2 || !EndsGame(c.Pos, best) || EndsGame(c.Pos, other) {
			t.Errorf("%v", c.Pos)
		}
	}
	for _, pos := range MateInOne {
		if !slices.ContainsFunc(pos.Moves(), func(m engine.Move) bool { return EndsGame(pos, m) }) {
			t.Errorf("%v", pos)
		}
	}
	other, otherErr := Poisoned.Pos.Parse(Poisoned.Other)
	best, bestErr := Poisoned.Pos.Parse(Poisoned.Best)
	if otherErr != nil || bestErr != nil || best == other || !MustPlay(Poisoned.Pos, Poisoned.Other, PoisonedMate).Result().Over() {
		t.Errorf("%v", Poisoned)
	}
	if !MustPlay(Thoughtful.Pos, Thoughtful.Best).Result().Over() {
		t.Errorf("%v", Thoughtful)
	}
	if Mated.Result().Reason != "checkmate" || Stalemate.Result().Reason != "stalemate" {
		t.Errorf("%v, %v", Mated.Result(), Stalemate.Result())
	}
	if n := len(LongestFEN.WireFEN()); n < 77 {
		t.Errorf("the longest FEN has %d bytes", n)
	}
	if n := len("FEN " + LongLine.WireFEN()); n != 79 {
		t.Errorf("the long line has %d bytes", n)
	}
}

// TestRandomGame checks that games are legal, of the right length, and always the same.
func TestRandomGame(t *testing.T) {
	for _, c := range []struct {
		plies int
		long  bool
	}{{120, false}, {42, true}, {1000, true}} {
		moves := RandomGame(c.plies, c.long)
		if len(moves) != c.plies || !slices.Equal(moves, newGame(c.plies, c.long)) {
			t.Errorf("%+v: %d moves", c, len(moves))
		}
		pos := MustPlay(xiangqi.Start(), moves...)
		if pos.Ply() != c.plies {
			t.Errorf("%+v: %d plies", c, pos.Ply())
		}
	}
}
