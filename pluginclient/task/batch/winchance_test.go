package batch

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"qhsh/engine"
)

func TestWinChance(t *testing.T) {
	score := rapid.Custom(func(t *rapid.T) engine.Score {
		n := rapid.IntRange(-3000, 3000).Draw(t, "n")
		if rapid.Bool().Draw(t, "mate") {
			return engine.MateIn(n)
		}
		return engine.Centipawns(n)
	})
	rapid.Check(t, func(t *rapid.T) {
		s, other := score.Draw(t, "s"), score.Draw(t, "other")
		chance, ok := WinChance(s, DefaultScale)
		back, _ := WinChance(s.Neg(), DefaultScale)
		if !ok || chance < 0 || chance > 1 || math.Abs(chance+back-1) > 1e-9 {
			t.Fatalf("%v is %v, and %v for the other side", s, chance, back)
		}
		if than, _ := WinChance(other, DefaultScale); s.Compare(other) > 0 && chance < than {
			t.Fatalf("%v is better than %v, but %v is less than %v", s, other, chance, than)
		}
	})
	if _, ok := WinChance(engine.Score{}, DefaultScale); ok {
		t.Error("an unknown score has a chance")
	}
}
