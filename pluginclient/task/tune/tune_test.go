package tune

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"qhsh/engine/enginetest"
	"qhsh/pluginclient/task/match"
)

func TestParseParam(t *testing.T) {
	for _, c := range []struct {
		text string
		want Param
		err  string
	}{
		{text: "margin.reverse=70,20,150,7.5", want: Param{"margin.reverse", 70, 20, 150, 7.5, 0}},
		{text: "Razor Margin= 0.25, -1, 1, 0.1", want: Param{"Razor Margin", 0.25, -1, 1, 0.1, 2}},
		{text: "x=1,0,4,2", want: Param{"x", 1, 0, 4, 2, 0}},
		{text: "x=1,0,4", err: "want NAME=START,MIN,MAX,STEP, such as margin.reverse=70,20,150,10"},
		{text: "x", err: "want NAME=START,MIN,MAX,STEP, such as margin.reverse=70,20,150,10"},
		{text: "=1,0,4,2", err: "want NAME=START,MIN,MAX,STEP, such as margin.reverse=70,20,150,10"},
		{text: "x=1,0,four,2", err: `x: "four" is not a number`},
		{text: "x=NaN,0,4,2", err: `x: "NaN" is not a number`},
		{text: "x=1,0,Inf,2", err: `x: "Inf" is not a number`},
		{text: "x=1,4,4,2", err: "x: MIN 4 must be less than MAX 4"},
		{text: "x=5,0,4,2", err: "x: START 5 is not between MIN 0 and MAX 4"},
		{text: "x=1,0,4,0", err: "x: STEP 0: want more than 0, at most half of the range"},
		{text: "x=1,0,4,2.1", err: "x: STEP 2.1: want more than 0, at most half of the range"},
		{text: "x=1.0000000,0,4,2", err: "x: want at most 6 decimals"},
		{text: "x=1e-2,0,1,0.1", want: Param{"x", 0.01, 0, 1, 0.1, 2}},
		{text: "x=1.5E-2,0,1,0.1", want: Param{"x", 0.015, 0, 1, 0.1, 3}},
		{text: "x=1.5e1,0,1e2,5", want: Param{"x", 15, 0, 100, 5, 0}},
		{text: "x=0x10,0,20,2", err: `x: "0x10" is not a number`},
		{text: "x=1,0,4,0.5", want: Param{"x", 1, 0, 4, 0.5, 0}},
		{text: "x=1,0,4,0.4", err: "x: STEP 0.4: want at least 0.5: values have as many decimals as START, MIN and MAX, and the players, a STEP to either side, must differ"},
		{text: "x=1.0,0,4,0.04", err: "x: STEP 0.04: want at least 0.05: values have as many decimals as START, MIN and MAX, and the players, a STEP to either side, must differ"},
	} {
		got, err := ParseParam(c.text)
		if c.err != "" && (err == nil || err.Error() != c.err) || c.err == "" && (err != nil || got != c.want) {
			t.Errorf("%s: %+v, %v; want %+v, %s", c.text, got, err, c.want, c.err)
		}
	}
}

// TestEnds: an engine that does not accept the ends of a range is found before the first game.
func TestEnds(t *testing.T) {
	for _, c := range []struct {
		params []string
		names  []string
		err    string
	}{
		{[]string{"Bar=2,0,20,1"}, nil, "MAX of -param: Bar=20: want a number up to 10"},
		{[]string{"Bar=2.0,0,9,1"}, nil, "MIN of -param: Bar=0.0: want a whole number; values have as many decimals as START, MIN and MAX, here Bar=2.0,0.0,9.0,1"},
		{[]string{"Bar=2,0,9,1", "bar=2,0,9,1"}, []string{"Bar", "Bar"}, "tune configuration: Bar and bar are the same option of the engine"},
	} {
		config := &Config{Pairs: 1, Step: 1, Rate: 1, Player: func(name string, values []Setting) (match.Player, error) {
			if name != "engine" {
				t.Errorf("%v: a game of %s is played", c.params, name)
			}
			return match.Player{}, nil
		}}
		for _, text := range c.params {
			p, err := ParseParam(text)
			if err != nil {
				t.Fatal(err)
			}
			config.Params = append(config.Params, p)
		}
		_, err := Run(t.Context(), config, Options{Log: &Log{}, Try: func(_ context.Context, _ match.Player, values []Setting) ([]string, error) {
			switch n, err := strconv.Atoi(values[0].Value); {
			case err != nil:
				return nil, fmt.Errorf("%s=%s: want a whole number", values[0].Name, values[0].Value)
			case n > 10:
				return nil, fmt.Errorf("%s=%s: want a number up to 10", values[0].Name, values[0].Value)
			}
			return c.names, nil
		}})
		if err == nil || err.Error() != c.err {
			t.Errorf("%v: %v, want %s", c.params, err, c.err)
		}
	}
}

// TestResumeRefused: a run is not resumed with another engine, nor other values of an option.
func TestResumeRefused(t *testing.T) {
	config := func(program, param string) *Config {
		p, err := ParseParam(param)
		if err != nil {
			t.Fatal(err)
		}
		return &Config{Spec: "x", Params: []Param{p}, Pairs: 1, Step: 1, Rate: 1, Match: match.Config{
			Game: enginetest.Stones, Players: []match.Player{{Name: "engine", Spec: "x", Files: []string{program}}},
		}}
	}
	path := filepath.Join(t.TempDir(), "run.jsonl")
	log, err := OpenLog(path, config("1-00", "Foo=1,0,20,3"), false)
	if err == nil {
		err = log.append(Record{Step: 1, Wins: 2, Values: map[string]float64{"Foo": 1}})
	}
	if err == nil {
		err = log.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ program, param, want string }{
		{"1-00", "Foo=1,0,20,3", ""},
		{"1-00", "Foo=1.0e0,0,2e1,3", `params.1 is "Foo=1,0,20,3" there and "Foo=1.0,0.0,20.0,3" here`},
		{"1-01", "Foo=1,0,20,3", `match.players.engine.engine_files.1 is "1-00" there and "1-01" here`},
	} {
		log, err := OpenLog(path, config(c.program, c.param), true)
		if err == nil {
			err = log.Close()
		}
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.HasSuffix(err.Error(), "configuration differs from the run being resumed: "+c.want)) {
			t.Errorf("%s, %s: %v, want %s", c.program, c.param, err, c.want)
		}
	}
}

// TestOpenings: in a random order, too, every opening is played once before any is played again.
func TestOpenings(t *testing.T) {
	random := match.Config{Game: enginetest.Stones, Tournament: match.RoundRobin, Order: match.Random, Seed: 5}
	for n := range 6 {
		pos, err := enginetest.Stones.Position(fmt.Sprintf("%d first", n+1))
		if err != nil {
			t.Fatal(err)
		}
		random.Openings = append(random.Openings, pos)
	}
	c := &Config{
		Match: random, Params: []Param{{"x", 1, 0, 4, 1, 0}}, Pairs: 11, Step: 2, Rate: 1,
		Player: func(name string, _ []Setting) (match.Player, error) { return match.Player{Name: name}, nil },
	}
	played := map[int]int{}
	seeds := map[[2]uint64]int{}
	_, err := Run(t.Context(), c, Options{
		Log: &Log{},
		Play: func(_ context.Context, f match.Fixture) (match.Record, error) {
			played[f.Opening]++
			seeds[f.Seed]++
			return match.Record{
				Game: f.Number, Round: f.Round, Pair: f.Pair, Opening: f.Opening,
				First: f.Players[0].Name, Second: f.Players[1].Name, Result: "1/2-1/2",
			}, nil
		},
		Progress: func(r *Result) {
			if pairs := r.Games() / 2; pairs <= 6 && len(played) != pairs {
				t.Errorf("%d openings in %d pairs", len(played), pairs)
			}
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(seeds) != 11 {
		t.Errorf("%d seeds for 11 pairs", len(seeds))
	}
}

// TestTrial: whatever the values, the players' values are in the range, have the right decimals, and
// are on either side of the value; without a game won nothing changes.
func TestTrial(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		low, high := rapid.Float64Range(-1000, 0).Draw(t, "low"), rapid.Float64Range(1, 1000).Draw(t, "high")
		decimals := rapid.IntRange(0, 3).Draw(t, "decimals")
		unit := math.Pow10(decimals)
		p := Param{"x", 0, math.Ceil(low*unit) / unit, math.Floor(high*unit) / unit, (high - low) / 10, decimals}
		c := &Config{Params: []Param{p}, Pairs: 100, Step: 3, Rate: 0.01}
		c.Match.Seed = rapid.Uint64().Draw(t, "seed")
		step := rapid.IntRange(0, c.Steps()-1).Draw(t, "step")
		v := rapid.Float64Range(p.Min, p.Max).Draw(t, "value")
		got := c.trial(step, []float64{v})
		for i, sign := range []float64{1, -1} {
			text := [...]string{got.plus[0].String(), got.minus[0].String()}[i]
			n, err := strconv.ParseFloat(text, 64)
			if err != nil || n < p.Min || n > p.Max || fmt.Sprintf("%.*f", decimals, n) != text {
				t.Fatalf("value %q", text)
			}
			if sign*got.signs[0]*(n-v) < -1/unit-1e-9 {
				t.Fatalf("%q is on the wrong side of %g by sign %g", text, v, got.signs[0])
			}
		}
		if next := c.update(step, []float64{v}, got, 0)[0]; math.Abs(next-v) > 1e-6 {
			t.Fatalf("%g becomes %g", v, next)
		}
	})
}

// TestRounding: random rounding is right on average, and exact for values that need none.
func TestRounding(t *testing.T) {
	p := Param{"x", 0, -10, 10, 1, 1}
	random, sum := rand.New(rand.NewPCG(1, 1)), 0.0
	const n = 10_000
	for range n {
		v, _ := p.round(2.537, random.Float64()).Float64()
		sum += v
	}
	if mean := sum / n; math.Abs(mean-2.537) > 0.003 {
		t.Errorf("the mean is %g", mean)
	}
	for _, c := range []struct {
		v    float64
		want string
	}{{-3, "-3.0"}, {2.54, "2.5"}, {2.55, "2.6"}, {-0.04, "0.0"}, {99, "10.0"}, {-99, "-10.0"}} {
		if got := p.round(c.v, 0.5).String(); got != c.want {
			t.Errorf("%g is rounded to %s, want %s", c.v, got, c.want)
		}
	}
}

// TestConverges: games whose winner depends on the distance from the best values lead there.
func TestConverges(t *testing.T) {
	c := &Config{Pairs: 4000, Step: 8, Rate: 0.02, Params: []Param{{"a", 70, 20, 150, 12, 0}, {"b", 0.5, 0, 1, 0.1, 2}}}
	best := []float64{110, 0.2}
	random := rand.New(rand.NewPCG(7, 7))
	values := newResult(c).Values
	for step := range c.Steps() {
		trial := c.trial(step, values)
		elo := 0.0
		for i, p := range c.Params {
			plus, _ := trial.plus[i].Float64()
			minus, _ := trial.minus[i].Float64()
			elo += 10 * (math.Pow((minus-best[i])/p.Step, 2) - math.Pow((plus-best[i])/p.Step, 2))
		}
		won := 0
		for range 2 * c.pairsOf(step) {
			won += 2*b2i(random.Float64() < 1/(1+math.Pow(10, -elo/400))) - 1
		}
		values = c.update(step, values, trial, won)
	}
	for i, p := range c.Params {
		if math.Abs(values[i]-best[i]) > p.Step {
			t.Errorf("%s is %g, want %g within %g", p.Name, values[i], best[i], p.Step)
		}
	}
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}
