package notation_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"qhsh/engine"
	"qhsh/engine/xiangqi"
	"qhsh/engine/xiangqi/notation"
)

func position(t testing.TB, fen string) *xiangqi.Position {
	t.Helper()
	p, err := xiangqi.ParseFEN(fen)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// playedMove returns the move that Rules plays, or the error.
func playedMove(p *xiangqi.Position, text string) string {
	next, err := notation.Rules.(interface {
		PlayMove(p engine.Position, text string) (engine.Position, error)
	}).PlayMove(p, text)
	if err != nil {
		return err.Error()
	}
	_, m := next.(*xiangqi.Position).Undo()
	return xiangqi.Move(m).ICCS()
}

func TestRead(t *testing.T) {
	elephants := position(t, "3k5/9/9/9/9/6B2/4R4/9/9/4K1B2 w")
	for _, c := range []struct {
		p          *xiangqi.Position
		text, want string
	}{
		{xiangqi.Start(), "h2e2", "H2-E2"},
		{xiangqi.Start(), "H2-E2", "H2-E2"},
		{xiangqi.Start(), "C2=5", "H2-E2"},
		{xiangqi.Start(), "炮二平五", "H2-E2"},
		{xiangqi.Start(), " 砲二平五 ", "H2-E2"},
		{xiangqi.Start(), "Che2", "H2-E2"},
		{xiangqi.Start(), "H2-H0", "H2-H0: own piece on H0"},
		{xiangqi.Start(), "h5h6", "H5-H6: no piece on H5"},
		{xiangqi.Start(), "", `"": not a move: want one such as H2-E2, C2=5 or 炮二平五`},
		{xiangqi.Start(), "zz", `"zz": not a move: want one such as H2-E2, C2=5 or 炮二平五`},
		{xiangqi.Start(), "C5=5", "C5=5: red has no such cannon on file 5; possible: C8-1 C8=9 C8=7 C8=6 C8=5 C8=4 C8=3 C8+1 C8+2 C8+3 C8+4 C8+7 C2-1 C2=7 C2=6 C2=5 C2=4 C2=3 C2=1 C2+1 ..."},
		// E4 is an elephant's rank, and a point.
		{elephants, "E4i2", "G4-I2"},
		{elephants, "E0i2", "G0-I2"},
		{elephants, "E3e5", "E3-E5"},
		{elephants, "E4e5", "E4-E5: no piece on E4"},
	} {
		m, err := notation.Read(c.p, c.text)
		got := m.ICCS()
		if err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%q: %s, want %s", c.text, got, c.want)
		}
		if played := playedMove(c.p, c.text); played != c.want {
			t.Errorf("%q is played as %s, want %s", c.text, played, c.want)
		}
	}
	var wrong *xiangqi.MoveError
	if _, err := notation.Read(xiangqi.Start(), "h2h0"); !errors.As(err, &wrong) {
		t.Errorf("%T", err)
	}
}

// TestReadUndoesNames: what is written in any style is read again, in a game of random moves.
func TestReadUndoesNames(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var pos engine.Position = xiangqi.Start()
		style := notation.Style(rapid.IntRange(0, 5).Draw(t, "style"))
		for range rapid.IntRange(0, 60).Draw(t, "plies") {
			legal := pos.Moves()
			if len(legal) == 0 {
				break
			}
			m := rapid.SampledFrom(legal).Draw(t, "move")
			text := strings.Join(notation.FormatMoves(pos, []engine.Move{m}, style), " ")
			got, err := notation.Read(pos.(*xiangqi.Position), text)
			if err != nil || engine.Move(got) != m {
				t.Fatalf("%v: %s is %v, %v", pos, text, got, err)
			}
			pos, _ = pos.Play(m)
		}
		start, moves := pos.History()
		if diff := cmp.Diff(len(moves), len(notation.FormatMoves(start, moves, style))); diff != "" {
			t.Fatal(diff)
		}
	})
}

func TestNamesStopAtAnIllegalMove(t *testing.T) {
	m := func(text string) engine.Move {
		move, err := xiangqi.ParseMove(text)
		if err != nil {
			t.Fatal(err)
		}
		return engine.Move(move)
	}
	got := notation.FormatMoves(xiangqi.Start(), []engine.Move{m("h2e2"), m("h9g7"), m("h2e2")}, notation.Chinese)
	if diff := cmp.Diff([]string{"炮二平五", "马８进７"}, got); diff != "" {
		t.Error(diff)
	}
}
