package tune

import (
	"encoding/json"
	"math"
	"testing"
)

// TestEffect: of two parameters the first decides every step, the second nothing.
func TestEffect(t *testing.T) {
	r := &Result{Config: &Config{Params: []Param{{Name: "a", Step: 10}, {Name: "b", Step: 10}, {Name: "c", Step: 10}}}}
	for step := range 8 {
		record := Record{
			Plus:  map[string]json.Number{"a": "60", "b": "60", "c": "50"},
			Minus: map[string]json.Number{"a": "40", "b": "40", "c": "50"},
			Wins:  5, Draws: 8, Losses: 3,
		}
		if step%2 == 1 {
			record.Plus["a"], record.Minus["a"] = record.Minus["a"], record.Plus["a"]
			record.Wins, record.Losses = record.Losses, record.Wins
		}
		r.Records = append(r.Records, record)
		if elo, margin := r.effect(0); step == 0 && !(math.IsNaN(elo) && math.IsNaN(margin)) {
			t.Errorf("after one step %g ±%g, want NaN", elo, margin)
		}
	}
	// 9 of 16 points are 43.4 Elo by the slope at equality, half of it for a step.
	for i, want := range []string{"+21.7 ±0.0", "+0.0 ±16.1", "+0.0 ±0.0"} {
		if got := r.effectText(i); got != want {
			t.Errorf("%s: %s, want %s", r.Config.Params[i].Name, got, want)
		}
	}
}
