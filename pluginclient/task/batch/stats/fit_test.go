package stats

import (
	"encoding/json"
	"encoding/xml"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"qhsh/engine"
)

// simulate adds games whose results follow the curve of a scale. The scores of a game are equal, so a game tells no
// more than one position.
func simulate(f *Fit, random *rand.Rand, scale float64, games, positions int) {
	for game := range games {
		score := engine.Centipawns(int(random.NormFloat64() * 400))
		chance, _ := score.Chance(scale)
		result := engine.SecondWins
		if random.Float64() < chance {
			result = engine.FirstWins
		}
		for range positions {
			f.Add("one", game, score, engine.First, result)
			f.Add("one", game, score.Neg(), engine.Second, result)
		}
	}
}

// TestFitCovers: 95 % of the intervals hold the true scale, although the positions of a game are one another's copies.
func TestFitCovers(t *testing.T) {
	const runs, scale = 100, 250
	random := rand.New(rand.NewPCG(1, 2))
	covered, errs, sum, squares := 0, 0.0, 0.0, 0.0
	for range runs {
		var f Fit
		simulate(&f, random, scale, 300, 5)
		f.Finish()
		e := f.Engines[0]
		if e.Games != 300 || e.Positions != 3000 || e.Problem != "" {
			t.Fatalf("%+v", e)
		}
		if math.Abs(e.Scale-scale) < e.Error {
			covered++
		}
		errs, sum, squares = errs+e.Error/normal95/runs, sum+e.Scale/runs, squares+e.Scale*e.Scale/runs
	}
	if deviation := math.Sqrt(squares - sum*sum); covered < 88 || math.Abs(sum/scale-1) > 0.03 || math.Abs(errs/deviation-1) > 0.2 {
		t.Errorf("%d of %d intervals hold the scale, whose mean is %.1f; the mean error is %.1f, and the scales deviate by %.1f", covered, runs, sum, errs, deviation)
	}
}

// TestFitProblems: where there is no scale, its place says why, and every format can be written.
func TestFitProblems(t *testing.T) {
	cp, mate := engine.Centipawns, engine.MateIn
	for name, c := range map[string]struct {
		add  func(f *Fit)
		want string
	}{
		"mates": {func(f *Fit) { f.Add("<&", 1, mate(3), engine.First, engine.FirstWins) }, "no scores but mates"},
		"all":   {func(f *Fit) { f.Add("<&", 1, cp(300), engine.First, engine.FirstWins) }, "the scores foretell all results: more games are needed"},
		"none":  {func(f *Fit) { f.Add("<&", 1, cp(300), engine.Second, engine.FirstWins) }, "the scores do not foretell the results"},
		"zeros": {func(f *Fit) { f.Add("<&", 1, cp(0), engine.First, engine.Draw) }, "the scores foretell all results: more games are needed"},
		"one game": {func(f *Fit) {
			simulate(f, rand.New(rand.NewPCG(1, 2)), 300, 1, 3)
			f.Add("one", 0, cp(-200), engine.First, engine.FirstWins)
		}, ""},
	} {
		var f Fit
		c.add(&f)
		f.Finish()
		if got := f.Engines[0].Problem; got != c.want || f.Engines[0].Error != 0 {
			t.Errorf("%s: %q, error %v", name, got, f.Engines[0].Error)
		}
		var text, svg strings.Builder
		if f.Report(&text); strings.Contains(text.String(), "NaN") {
			t.Errorf("%s:\n%s", name, text.String())
		}
		if err := f.WriteSVG(&svg); err != nil || strings.Contains(svg.String(), "NaN") || xml.Unmarshal([]byte(svg.String()), new(struct{})) != nil {
			t.Errorf("%s: %v\n%s", name, err, svg.String())
		}
		if _, err := json.Marshal(f); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
