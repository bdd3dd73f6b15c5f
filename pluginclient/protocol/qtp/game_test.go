package qtp

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"qhsh/engine"
	"qhsh/engine/quoridor"
)

// TestWallsInBetween: walls during a game sets the number that each side has then, undo returns the
// walls that are taken back, and the position agrees with the board.
func TestWallsInBetween(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rules := quoridor.Rules{Size: 5, Walls: 3}
		g := newGame(rules)
		has := [2]int{3, 3}
		for range rapid.IntRange(0, 40).Draw(t, "commands") {
			side := rapid.SampledFrom([]engine.Turn{quoridor.Black, quoridor.White}).Draw(t, "side")
			board := g.board()
			moves := board.AppendWalls(board.AppendSteps(nil, side), side)
			switch command := rapid.SampledFrom([]string{"play", "play", Undo, Walls, "ask"}).Draw(t, "command"); {
			case command == Walls:
				n := rapid.IntRange(0, 5).Draw(t, "walls")
				if _, err := g.execute(Walls, []string{fmt.Sprint(n)}); err != nil {
					t.Fatal(err)
				}
				has = [2]int{n, n}
			case command == Undo && len(g.actions) > 0:
				if last := g.actions[len(g.actions)-1]; last.Kind() != quoridor.Step {
					has[last.Side()]++
				}
				g.undo(1)
			case command == "play" && len(moves) > 0:
				a := rapid.SampledFrom(moves).Draw(t, "move")
				if err := g.play(a); err != nil {
					t.Fatal(err)
				}
				if a.Kind() != quoridor.Step {
					has[side]--
				}
			case command == "ask":
				g.position()
			}
			board = g.board()
			got := [2]int{board.Walls(quoridor.Black), board.Walls(quoridor.White)}
			if diff := cmp.Diff(has, got); diff != "" {
				t.Fatalf("%v: -want +walls:\n%s", &board, diff)
			}
		}
		board := g.board()
		if now := g.position().Board(); now != board {
			t.Fatalf("the position is %v, and the board %v", &now, &board)
		}
	})
}
