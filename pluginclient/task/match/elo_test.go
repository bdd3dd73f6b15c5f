package match

import (
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

// The expected values below are published results of other programs.

// pairsOf returns a score of pairs only.
func pairsOf(counts ...int) Score { return Score{Pairs: [5]int(counts)} }

// TestLLR compares generalised likelihood ratios of the logistic model.
func TestLLR(t *testing.T) {
	for _, c := range []struct {
		source     string
		score      Score
		elo0, elo1 float64
		want, most float64 // most: rounding error of want
	}{
		// The raw statistics of a test on a Fishtest instance, "Logistic (exact)":
		// montytest.muzhen.org/tests/stats/69d3c8dc7c5b3724e29d2712. The bounds there are
		// 0 and 2.716.
		{"Fishtest's raw statistics", pairsOf(13, 37, 50, 25, 3), 0, 2.716, -0.53772, 2e-4},
		// From fastchess's app/tests/sprt_test.cpp, to one percent.
		{"fastchess, trinomial 1", Score{Wins: 21404, Losses: 21184, Draws: 40708}, 0.5, 2.5, -1.57, 0.016},
		{"fastchess, trinomial 2", Score{Wins: 57433, Losses: 57030, Draws: 106593}, 0, 2, -2.59, 0.026},
		{"fastchess, pentanomial 1", pairsOf(223, 9863, 21279, 10037, 246), 0.5, 2.5, -3.07, 0.031},
		{"fastchess, pentanomial 2", pairsOf(871, 26175, 55983, 26678, 821), 0, 2, -4.98, 0.05},
		// Stockfish pull requests with Fishtest's LLR, which was logistic up to 2020 and is
		// corrected for the overshoot of the last results, by less than 0.1.
		{"Stockfish #2493, STC", pairsOf(424, 2948, 5832, 3045, 460), -1, 3, 2.94, 0.1},
		{"Stockfish #2493, LTC", pairsOf(1284, 17437, 55536, 18085, 1292), 0, 2, 2.94, 0.1},
		{"Stockfish #2951, STC", pairsOf(59, 754, 2467, 865, 75), -0.5, 1.5, 2.95, 0.1},
		{"Stockfish #2951, LTC", pairsOf(33, 1185, 8378, 1302, 50), 0.25, 1.75, 2.95, 0.1},
		{"Stockfish #3098, STC", pairsOf(491, 7345, 29693, 7670, 465), -0.25, 1.25, 2.96, 0.1},
		{"Stockfish #3098, LTC", pairsOf(53, 2220, 21459, 2445, 47), 0.25, 1.25, 2.97, 0.1},
	} {
		test := SPRT{Elo0: c.elo0, Elo1: c.elo1, Alpha: 0.05, Beta: 0.05}
		if got := test.llr(c.score); math.Abs(got-c.want) > c.most {
			t.Errorf("%s: LLR %.5f, want %g", c.source, got, c.want)
		}
	}
}

// TestNormalizedLLR compares generalised likelihood ratios of the normalized model with those of
// fastchess's app/tests/sprt_test.cpp, which are rounded.
func TestNormalizedLLR(t *testing.T) {
	for _, c := range []struct {
		score      Score
		elo0, elo1 float64
		want, most float64
	}{
		{Score{Wins: 36433, Losses: 36027, Draws: 68692}, 0, 2, 0.92, 0.005},
		{Score{Wins: 10871, Losses: 10650, Draws: 20431}, -1.75, 0.25, 2.30, 0.005},
		{Score{Wins: 4250}, 0, 10, 120.56, 0.05},
		{pairsOf(365, 16618, 36229, 16974, 390), 0, 2, 2.25, 0.005},
		{pairsOf(127, 4883, 10712, 5150, 104), -1.75, 0.25, 3.01, 0.005},
		{pairsOf(0, 0, 0, 0, 5550), 0, 5, 111.82, 0.05},
	} {
		test := SPRT{Elo0: c.elo0, Elo1: c.elo1, Alpha: 0.05, Beta: 0.05, Normalized: true}
		if got := test.llr(c.score); math.Abs(got-c.want) > c.most {
			t.Errorf("%+v: LLR %.5f, want %g", c.score, got, c.want)
		}
	}
}

// TestNormalizedWithoutDraws: if no game is drawn, a score p has the normalized Elo e with (p-1/2) =
// r sqrt(p(1-p)) and r = e ln 10/800. The likeliest distribution is that p, whatever the results.
func TestNormalizedWithoutDraws(t *testing.T) {
	p := func(elo float64) float64 {
		r := elo * math.Ln10 / 800
		return (1 + r/math.Sqrt(1+r*r)) / 2
	}
	for _, c := range []struct {
		won, lost  int
		elo0, elo1 float64
	}{{60, 40, 0, 5}, {60, 40, -150, 150}, {4321, 5000, -3, 0}, {1, 900, 0, 100}} {
		p0, p1 := p(c.elo0), p(c.elo1)
		want := float64(c.won)*math.Log(p1/p0) + float64(c.lost)*math.Log((1-p1)/(1-p0))
		test := SPRT{Elo0: c.elo0, Elo1: c.elo1, Normalized: true}
		// A drawn game counts as 0.001, which is the difference.
		if got := test.llr(Score{Wins: c.won, Losses: c.lost}); math.Abs(got-want) > 1e-3*(1+math.Abs(want)) {
			t.Errorf("%+v: LLR %v, want %v", c, got, want)
		}
	}
}

// TestLikeliest: the likeliest distributions have the Elo that was asked for, and no other that has it makes
// the results more likely.
func TestLikeliest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		test := SPRT{Normalized: rapid.Bool().Draw(t, "normalized")}
		results := make([]float64, rapid.SampledFrom([]int{3, 5}).Draw(t, "results"))
		for i := range results {
			results[i] = max(minCount, float64(rapid.IntRange(0, 1000).Draw(t, "count")))
		}
		elo := rapid.Float64Range(-100, 100).Draw(t, "elo")
		p := test.likeliest(results, elo)
		n, mean, variance := moments(p)
		got := toElo(mean)
		if test.Normalized {
			got = (mean - 0.5) / math.Sqrt(float64(len(p)-1)/2*variance) * neloScale
		}
		if math.Abs(n-1) > 1e-6 || math.Abs(got-elo) > 1e-3 {
			t.Fatalf("%v: Elo %v, want %v; sum %v", results, got, elo, n)
		}
	})
}

// TestDecisions simulates 10,000 matches of pairs between players as strong as H0 or H1 says, and counts
// the wrong decisions: no more than the test is asked for, with three standard deviations of the count.
func TestDecisions(t *testing.T) {
	const matches = 2500 // of each kind
	test := SPRT{Elo0: 0, Elo1: 100, Alpha: 0.05, Beta: 0.1}
	source := rand.New(rand.NewPCG(1, 0))
	for _, test.Normalized = range []bool{false, true} {
		for _, c := range []struct {
			elo   float64
			wrong string
			rate  float64
		}{{test.Elo0, "H1", test.Alpha}, {test.Elo1, "H0", test.Beta}} {
			p, wrong, pairs := test.likeliest([]float64{4, 22, 48, 22, 4}, c.elo), 0, 0
			for range matches {
				s, decision := Score{}, ""
				for decision == "" {
					x, i := source.Float64(), 0
					for ; i < 4 && x >= p[i]; i++ {
						x -= p[i]
					}
					s.Pairs[i]++
					pairs++
					decision = test.test(s).Decision
				}
				if decision == c.wrong {
					wrong++
				}
			}
			got, most := float64(wrong)/matches, c.rate+3*math.Sqrt(c.rate*(1-c.rate)/matches)
			t.Logf("%s, %g Elo: %d of %d decisions are %s, after %d pairs each", test.model(), c.elo, wrong, matches, c.wrong, pairs/matches)
			if got > most {
				t.Errorf("%v at %g Elo: %g of the decisions are %s, want at most %g", test, c.elo, got, c.wrong, c.rate)
			}
		}
	}
}

// TestBounds checks Wald's bounds, which every test on Fishtest shows as (-2.94, 2.94).
func TestBounds(t *testing.T) {
	test := SPRT{Elo0: 0, Elo1: 5, Alpha: 0.05, Beta: 0.05}.test(Score{})
	if math.Abs(test.Upper-2.9444389791664403) > 1e-12 || test.Lower != -test.Upper {
		t.Errorf("bounds %v, %v", test.Lower, test.Upper)
	}
	test = SPRT{Elo1: 1, Alpha: 0.01, Beta: 0.1}.test(Score{})
	if math.Abs(test.Lower-math.Log(0.1/0.99)) > 1e-12 || math.Abs(test.Upper-math.Log(90)) > 1e-12 {
		t.Errorf("bounds %v, %v", test.Lower, test.Upper)
	}
}

func TestEstimate(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct {
		source    string
		score     Score
		elo, size float64
		los       float64
		digits    float64 // rounding error of the expected values
	}{
		// Printed by fastchess, with pairs from 0 to 2 points.
		{"sf19-smallnet against sf18-lite", pairsOf(1, 10, 78, 48, 13), 72.85, 22.33, 1, 0.006},
		{"C1 against C5", pairsOf(0, 0, 1, 8, 1), 190.85, 65.54, 0.9996, 0.006},
		{"plus against minus", pairsOf(0, 1, 0, 1, 0), 0, 296.58, 0.5, 0.006},
		// From fastchess's app/tests/elo_test.cpp, to one percent.
		{"fastchess, games 2", Score{Wins: 136, Losses: 96, Draws: 111}, 40.70, 30.43, 0.9959, 0.3},
		{"fastchess, pairs 1", pairsOf(34, 54, 63, 64, 75), 55.58, 27.65, 1, 0.5},
		{"fastchess, pairs 2", pairsOf(332, 433, 498, 333, 334), -8.64, 10.33, 0.0506, 0.1},
		{"fastchess, pairs 3", pairsOf(7895, 8757, 5685, 568, 9999), -21.04, 2.95, 0, 0.2},
		// By definition.
		{"nothing", Score{}, 0, inf, 0.5, 0},
		{"all drawn", Score{Draws: 3}, 0, inf, 0.5, 0},
		{"all won", Score{Wins: 3}, inf, inf, 0.9831, 0},
		{"all lost", Score{Losses: 3}, -inf, inf, 0.0169, 0},
		{"one pair won", pairsOf(0, 0, 0, 0, 1), inf, inf, 0.7622, 0},
		{"one pair won by half a point", pairsOf(0, 0, 0, 1, 0), 190.85, inf, 0.6621, 0.006},
		{"8 of 8", pairsOf(0, 0, 0, 0, 4), inf, inf, 0.9917, 0},
		{"7.5 of 8", pairsOf(0, 0, 0, 1, 3), 470.44, inf, 0.9848, 0.006},
	} {
		got := c.score.Estimate()
		for _, f := range []struct {
			name            string
			got, want, most float64
		}{{"Elo", got.Elo, c.elo, c.digits}, {"error", got.Error, c.size, c.digits}, {"LOS", got.LOS, c.los, 6e-5}} {
			if f.got != f.want && !(math.Abs(f.got-f.want) <= f.most) {
				t.Errorf("%s: %s %v, want %v", c.source, f.name, f.got, f.want)
			}
		}
	}
}

// TestLOSOfGames compares the LOS of games with the formula that cutechess-cli prints, Rémi
// Coulom's approximation of a sign test, (1 + erf((w-l)/sqrt(2(w+l))))/2. It assumes the deviation
// of equal players, so the two agree for scores near one half.
func TestLOSOfGames(t *testing.T) {
	for _, c := range [][3]int{{520, 500, 100}, {510, 500, 0}, {60, 55, 300}} {
		w, l := float64(c[0]), float64(c[1])
		want := (1 + math.Erf((w-l)/math.Sqrt(2*(w+l)))) / 2
		if got := (Score{Wins: c[0], Losses: c[1], Draws: c[2]}).Estimate().LOS; math.Abs(got-want) > 2e-3 {
			t.Errorf("%v: LOS %.4f, want %.4f", c, got, want)
		}
	}
}

// TestNElo compares normalized Elo with that of fastchess's app/tests/elo_test.cpp, which is given to one
// percent.
func TestNElo(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct {
		score       Score
		nelo, error float64
	}{
		{Score{Wins: 76, Losses: 89, Draws: 123}, -20.76, 40.13},
		{Score{Wins: 136, Losses: 96, Draws: 111}, 49.77, 36.77},
		{Score{Wins: 34, Losses: 356}, -508.44, 34.48},
		{pairsOf(34, 54, 63, 64, 75), 57.94, 28.28},
		{pairsOf(332, 433, 498, 333, 334), -9.17, 10.96},
		{pairsOf(7895, 8757, 5685, 568, 9999), -19.01, 2.65},
		// By definition.
		{pairsOf(1, 0, 0, 0, 1), 0, normal95 / 2 * neloScale},
		{pairsOf(0, 0, 4, 0, 0), 0, inf},
		{pairsOf(0, 0, 0, 1, 0), inf, inf},
		{Score{Losses: 3}, -inf, inf},
		{Score{}, 0, inf},
	} {
		e := c.score.Estimate()
		if e.NElo != c.nelo && !(math.Abs(e.NElo-c.nelo) <= 0.01*math.Abs(c.nelo)) || e.NError != c.error && !(math.Abs(e.NError-c.error) <= 0.01*c.error) {
			t.Errorf("%+v: nElo %v +/- %v, want %v +/- %v", c.score, e.NElo, e.NError, c.nelo, c.error)
		}
	}
}

func TestElo(t *testing.T) {
	for score, elo := range map[float64]float64{0.5: 0, 10.0 / 11: 400, 1.0 / 11: -400, 0.75: 190.848502} {
		if got := toElo(score); math.Abs(got-elo) > 1e-6 {
			t.Errorf("score %g is %g Elo, want %g", score, got, elo)
		}
		if got := fromElo(elo); math.Abs(got-score) > 1e-8 {
			t.Errorf("%g Elo is the score %g, want %g", elo, got, score)
		}
	}
}

// TestScoreProperties checks that exchanging the sides changes the signs.
func TestScoreProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 1000)
		s := Score{Wins: n.Draw(t, "w"), Draws: n.Draw(t, "d"), Losses: n.Draw(t, "l")}
		if rapid.Bool().Draw(t, "pairs") {
			for i := range s.Pairs {
				s.Pairs[i] = n.Draw(t, "pair")
			}
		}
		e, o := s.Estimate(), s.reversed().Estimate()
		if !near(e.Elo, -o.Elo) || !near(e.Error, o.Error) || !near(e.LOS, 1-o.LOS) || !near(e.NElo, -o.NElo) || !near(e.NError, o.NError) {
			t.Fatalf("%+v: %+v, turned %+v", s, e, o)
		}
		better := s
		better.Pairs = [5]int{}
		better.Wins++
		if worse := (Score{Wins: s.Wins, Draws: s.Draws, Losses: s.Losses + 1}); better.Estimate().LOS < worse.Estimate().LOS {
			t.Fatalf("LOS %v of %+v, and more of %+v", better.Estimate().LOS, better, worse)
		}
		test := SPRT{Elo0: -3, Elo1: 7, Alpha: 0.05, Beta: 0.05, Normalized: rapid.Bool().Draw(t, "normalized")}
		turned := SPRT{Elo0: -7, Elo1: 3, Alpha: 0.05, Beta: 0.05, Normalized: test.Normalized}
		if a, b := test.llr(s), turned.llr(s.reversed()); !near(a, -b) {
			t.Fatalf("%+v: LLR %v, turned %v", s, a, b)
		}
		if e.LOS < 0 || e.LOS > 1 || math.IsNaN(e.Elo) || math.IsNaN(e.Error) || math.IsNaN(test.llr(s)) {
			t.Fatalf("%+v: %+v", s, e)
		}
	})
}

func near(a, b float64) bool { return a == b || math.Abs(a-b) <= 1e-6*(1+math.Abs(a)) }

func TestParseSPRT(t *testing.T) {
	for text, want := range map[string]string{
		"": "elo0=0,elo1=5,alpha=0.05,beta=0.05", "elo1=10": "elo0=0,elo1=10,alpha=0.05,beta=0.05",
		"elo0=-1.5 elo1=2  alpha=.1 beta=0.2": "elo0=-1.5,elo1=2,alpha=0.1,beta=0.2",
		"model=logistic":                      "elo0=0,elo1=5,alpha=0.05,beta=0.05", // as files of older versions have it
		"model=normalized,elo1=2":             "elo0=0,elo1=2,alpha=0.05,beta=0.05,model=normalized",
	} {
		if got, err := ParseSPRT(text); err != nil || got.String() != want {
			t.Errorf("%q: %v, %v", text, got, err)
		}
	}
	for text, want := range map[string]string{
		"elo0=5":                    "elo0 must be less than elo1",
		"elo1=nan":                  "elo1=nan: want a number",
		"alpha=0":                   "alpha and beta must be positive, with a sum below 1",
		"alpha=0.5,beta=0.5":        "alpha and beta must be positive, with a sum below 1",
		"elo2=1":                    `unknown key "elo2": use elo0, elo1, alpha, beta, model`,
		"elo0":                      `"elo0" is not KEY=VALUE`,
		"elo0=-9999,elo1=99999":     "elo0 and elo1 must be from -2000 to 2000",
		"model=bayesian":            "model=bayesian: want logistic or normalized",
		"model=normalized elo1=201": "elo0 and elo1 must be from -200 to 200",
	} {
		if _, err := ParseSPRT(text); err == nil || err.Error() != want {
			t.Errorf("%q: error %v", text, err)
		}
	}
}

// reversed returns the opponent's score.
func (s Score) reversed() Score {
	p := s.Pairs
	return Score{s.Losses, s.Draws, s.Wins, [5]int{p[4], p[3], p[2], p[1], p[0]}}
}
