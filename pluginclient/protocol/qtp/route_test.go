package qtp

import (
	"errors"
	"testing"

	"pgregory.net/rapid"

	"qhsh/engine"
	"qhsh/engine/quoridor"
)

// randomPosition returns a position of a random game on a small board, in which either side may
// move twice.
func randomPosition(t *rapid.T) *quoridor.Position {
	rules := quoridor.Rules{Size: rapid.IntRange(3, 7).Draw(t, "size"), Walls: rapid.IntRange(0, 4).Draw(t, "walls")}
	pos := quoridor.NewPosition(quoridor.NewBoard(rules))
	for range rapid.IntRange(0, 25).Draw(t, "plies") {
		side := rapid.SampledFrom([]engine.Turn{quoridor.Black, quoridor.White}).Draw(t, "side")
		board := pos.Board()
		moves := board.AppendWalls(board.AppendSteps(nil, side), side)
		if len(moves) == 0 {
			break
		}
		next, err := pos.PlayAction(rapid.SampledFrom(moves).Draw(t, "move"))
		if err != nil || next.Result().Over() {
			break
		}
		pos = next
	}
	return pos
}

// TestRoute: the actions that route constructs are legal and lead to the position, and no pawn
// reaches its goal on the way.
func TestRoute(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pos := randomPosition(t)
		want := pos.Board()
		rules, actions, err := route(&want)
		if err != nil {
			t.Fatal(err)
		}
		g := newGame(rules)
		for i, a := range actions {
			if err := g.play(a); err != nil {
				t.Fatal(err)
			}
			if result := g.position().Result(); result.Over() {
				t.Fatalf("%v after %v", result, actions[:i+1])
			}
		}
		got := g.board()
		got.SetTurn(want.Turn())
		if got != want {
			t.Fatalf("%v is reached, want %v", &got, &want)
		}
	})
}

func TestRouteHome(t *testing.T) {
	for _, c := range []struct {
		text  string
		steps int // -1: the protocol cannot express it
	}{
		{"3 b B3/0 B1/0 -", 0},
		{"3 w A1/0 C3/0 -", 5},
		{"3 w B1/1 B3/0 A2h", 4},
		{"25 b A2/0 Y24/0 -", 70},
		{"3 b B3/1 B1/1 A2h", -1},
		{"3 b B3/3 B1/0 A2h", -1},
	} {
		b, err := quoridor.ParseBoard(c.text)
		if err != nil {
			t.Fatal(err)
		}
		rules, actions, err := route(&b)
		if c.steps < 0 {
			if !errors.Is(err, ErrPosition) {
				t.Errorf("%s: %v", c.text, err)
			}
			continue
		}
		g := newGame(rules)
		for _, a := range actions {
			if err := g.play(a); err != nil {
				t.Fatalf("%s: %v", c.text, err)
			}
		}
		got := g.board()
		got.SetTurn(b.Turn())
		if err != nil || len(actions) != c.steps || got != b {
			t.Errorf("%s: %d actions lead to %v, %v", c.text, len(actions), &got, err)
		}
	}
}
