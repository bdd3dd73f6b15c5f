package tune

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"testing"
)

// TestEffect: a line is fitted to the differences that the players had. Where there is none, or no
// difference between the steps, or too few steps, nothing is said.
func TestEffect(t *testing.T) {
	r := &Result{Config: &Config{Params: []Param{{Name: "a", Step: 10}, {Name: "b", Step: 10}, {Name: "c", Step: 10}}}}
	for step := range 8 {
		record := Record{
			Plus:  map[string]json.Number{"a": "60", "b": "60", "c": "50"},
			Minus: map[string]json.Number{"a": "40", "b": "40", "c": "50"},
			Wins:  5, Draws: 8, Losses: 3,
		}
		if step%4 == 0 { // the difference is half as large, and so is the score
			record.Minus["a"], record.Wins, record.Draws = "50", 4, 9
		}
		if step%2 == 1 {
			record.Plus["a"], record.Minus["a"] = record.Minus["a"], record.Plus["a"]
			record.Wins, record.Losses = record.Losses, record.Wins
		}
		r.Records = append(r.Records, record)
		if got := r.effectText(1); (got == "-") != (step < 4) {
			t.Errorf("after %d steps: %s", step+1, got)
		}
	}
	// 9 of 16 points are 43.4 Elo by the slope at equality, half of it for a step: without any doubt, which
	// no games can show. b decides nothing, and c never differed.
	for i, want := range []string{"-", "-2.7 ±17.3", "-"} {
		if got := r.effectText(i); got != want {
			t.Errorf("%s: %s, want %s", r.Config.Params[i].Name, got, want)
		}
	}
}

func TestQuantile(t *testing.T) {
	for free, want := range map[int]float64{4: 2.776, 5: 2.571, 8: 2.306, 20: 2.086, 100: 1.984, 10_000: 1.960} {
		if got := quantile(free); math.Abs(got-want) > 0.003*want {
			t.Errorf("%d: %g, want %g", free, got, want)
		}
	}
}

// TestEffectCovers: of many runs, the interval holds the true effect in about 95 %, whatever the number
// of steps, also of a parameter at the edge of its range or whose values are rounded coarsely.
func TestEffectCovers(t *testing.T) {
	trueElo := []float64{6, -4, 8, 0} // of a Step
	for _, steps := range []int{5, 12, 60} {
		random := rand.New(rand.NewPCG(11, uint64(steps)))
		held, said := make([]int, len(trueElo)), make([]int, len(trueElo))
		const runs = 1500
		for run := range runs {
			c := &Config{Pairs: steps * 16, Step: 16, Rate: 0.02, Params: []Param{
				{"free", 50, 0, 100, 10, 0}, {"edge", 1, 0, 100, 8, 0}, {"coarse", 3, 0, 6, 0.7, 0}, {"fine", 0.5, 0, 1, 0.1, 3},
			}}
			c.Match.Seed = uint64(run)
			r := simulate(c, random, trueElo)
			for i, elo := range trueElo {
				got, margin := r.effect(i)
				if !math.IsNaN(margin) {
					said[i]++
				}
				if math.Abs(got-elo) <= margin {
					held[i]++
				}
			}
		}
		for i := range trueElo {
			share := float64(held[i]) / float64(said[i])
			if math.Abs(share-0.95) > 0.02 || said[i] < runs*99/100 {
				t.Errorf("%d steps: the interval of parameter %d holds its effect in %.3f of %d runs", steps, i, share, said[i])
			}
		}
	}
}

// simulate plays a run in which each Step of a parameter is worth so many Elo.
func simulate(c *Config, random *rand.Rand, elo []float64) *Result {
	r := newResult(c)
	for step := range c.Steps() {
		t := c.trial(step, r.Values)
		record := Record{Step: step + 1, Plus: map[string]json.Number{}, Minus: map[string]json.Number{}, Values: map[string]float64{}}
		difference := 0.0
		for i, p := range c.Params {
			record.Plus[p.Name], record.Minus[p.Name] = t.plus[i], t.minus[i]
			plus, _ := t.plus[i].Float64()
			minus, _ := t.minus[i].Float64()
			difference += elo[i] * (plus - minus) / p.Step
		}
		const drawn = 0.4 // of the games
		win := 1/(1+math.Pow(10, -difference/400)) - drawn/2
		for range 2 * c.pairsOf(step) {
			switch luck := random.Float64(); {
			case luck < win:
				record.Wins++
			case luck < win+drawn:
				record.Draws++
			default:
				record.Losses++
			}
		}
		next := c.update(step, r.Values, t, record.Wins-record.Losses)
		for i, p := range c.Params {
			record.Values[p.Name] = next[i]
		}
		r.add(record)
	}
	return r
}
