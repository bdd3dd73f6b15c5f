package engine_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"qhsh/engine"
)

func TestChance(t *testing.T) {
	score := rapid.Custom(func(t *rapid.T) engine.Score {
		n := rapid.IntRange(-3000, 3000).Draw(t, "n")
		if rapid.Bool().Draw(t, "mate") {
			return engine.MateIn(n)
		}
		return engine.Centipawns(n)
	})
	rapid.Check(t, func(t *rapid.T) {
		s, other := score.Draw(t, "s"), score.Draw(t, "other")
		chance, ok := s.Chance(engine.DefaultScale)
		back, _ := s.Neg().Chance(engine.DefaultScale)
		if !ok || chance < 0 || chance > 1 || math.Abs(chance+back-1) > 1e-9 {
			t.Fatalf("%v is %v, and %v for the other side", s, chance, back)
		}
		if w := s.WDL(); w.Check() != nil || math.Abs(w.Chance()-chance) > 0.001 || w.Neg().Neg() != w {
			t.Fatalf("%v: %v", s, w)
		}
		if w, err := engine.ParseWDL(s.WDL().String()); w != s.WDL() || err != nil {
			t.Fatalf("%v is read as %v, %v", s.WDL(), w, err)
		}
		if than, _ := other.Chance(engine.DefaultScale); s.Compare(other) > 0 && chance < than {
			t.Fatalf("%v is better than %v, but %v is less than %v", s, other, chance, than)
		}
	})
	if _, ok := (engine.Score{}).Chance(engine.DefaultScale); ok {
		t.Error("an unknown score has a chance")
	}
}
