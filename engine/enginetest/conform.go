package enginetest

import (
	"errors"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"qhsh/engine"
)

// Conform tests what the contract requires of every game, on random games of up to plies moves.
func Conform(t *testing.T, game engine.Game, plies int) {
	t.Helper()
	rapid.Check(t, func(t *rapid.T) {
		pos := game.Start()
		for range plies {
			conform(t, pos)
			moves := pos.Moves()
			if len(moves) == 0 {
				return
			}
			next, err := pos.Play(rapid.SampledFrom(moves).Draw(t, "move"))
			if err != nil {
				t.Fatalf("%v: a legal move is refused: %v", pos, err)
			}
			pos = next
		}
	})
}

func conform(t *rapid.T, pos engine.Position) {
	moves := pos.Moves()
	if over := pos.Result().Over(); over != (len(moves) == 0) {
		t.Fatalf("%v: over is %v with %d moves", pos, over, len(moves))
	}
	if !slices.Equal(moves, pos.Moves()) {
		t.Fatalf("%v: Moves differs from one call to the next", pos)
	}
	if listed := engine.AppendMoves([]engine.Move{1}, pos); !slices.Equal(listed[1:], moves) {
		t.Fatalf("%v: AppendMoves differs from Moves", pos)
	}
	seen := map[engine.Move]bool{}
	for _, m := range moves {
		if m == engine.NoMove || seen[m] {
			t.Fatalf("%v: move %v is NoMove or occurs twice", pos, m)
		}
		seen[m] = true
		text := pos.Format(m)
		if back, err := pos.Parse(text); err != nil || back != m {
			t.Fatalf("%v: %q reads back as %v, %v", pos, text, back, err)
		}
	}
	if _, err := pos.Play(engine.NoMove); err == nil {
		t.Fatalf("%v: NoMove is accepted", pos)
	}
	if _, err := pos.Parse("no such move"); err == nil || len(moves) > 0 && !errors.Is(err, engine.ErrMalformed) {
		t.Fatalf("%v: nonsense is parsed as a move, or as an illegal one: %v", pos, err)
	}
	back, err := pos.Game().Position(pos.String())
	if err != nil {
		t.Fatalf("%v: does not read back: %v", pos, err)
	}
	if back.String() != pos.String() || back.Key() != pos.Key() || back.Turn() != pos.Turn() {
		t.Fatalf("%v: reads back as %v, key %x for %x", pos, back, back.Key(), pos.Key())
	}
	if !slices.Equal(back.Moves(), pos.Moves()) {
		t.Fatalf("%v: has different moves when read back", pos)
	}
	conformHistory(t, pos)
	if pos.Turn() != engine.Chance {
		return
	}
	odds, ok := pos.(engine.Odds)
	if !ok {
		t.Fatalf("%v: chance is to move, but there are no odds", pos)
	}
	sum := 0.0
	for _, m := range moves {
		sum += odds.Odds(m)
	}
	if math.Abs(sum-1) > 1e-9 {
		t.Fatalf("%v: the odds add up to %v", pos, sum)
	}
}

func conformHistory(t *rapid.T, pos engine.Position) {
	start, moves := pos.History()
	again, err := engine.PlayMoves(start, moves)
	if err != nil {
		t.Fatalf("%v: its history does not replay: %v", pos, err)
	}
	if again.String() != pos.String() || again.Key() != pos.Key() {
		t.Fatalf("%v: its history leads to %v", pos, again)
	}
	before, last := pos.Undo()
	switch {
	case len(moves) == 0:
		if before != nil || last != engine.NoMove {
			t.Fatalf("%v: no move was played, but %v was undone", pos, last)
		}
		return
	case before == nil:
		t.Fatalf("%v: its last move cannot be undone", pos)
	}
	if _, earlier := before.History(); last != moves[len(moves)-1] || !slices.Equal(earlier, moves[:len(moves)-1]) {
		t.Fatalf("%v: %v was undone, which leads to %v", pos, last, before)
	}
	if again, err := before.Play(last); err != nil || again.String() != pos.String() {
		t.Fatalf("%v: playing the undone move again leads to %v, %v", pos, again, err)
	}
}
