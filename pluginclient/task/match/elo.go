package match

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Match statistics. A score is a fraction of the points, from 0 to 1. Elo is the logistic scale: a
// difference d has the expected score 1/(1+10^(-d/400)).
//
// Games of a pair share their opening, so their results are correlated, and the deviation of the
// score is that of the pairs' results: five values, from 0 to 2 points (pentanomial model). Without
// pairs it is that of the games (trinomial model).

// A Score counts a player's results.
type Score struct {
	Wins, Draws, Losses int
	// Pairs counts the complete pairs of games with the same opening by their half points, 0 to 4.
	Pairs [5]int
}

// Games returns the number of games.
func (s Score) Games() int { return s.Wins + s.Draws + s.Losses }

// Points returns one point per win and half a point per draw.
func (s Score) Points() float64 { return float64(s.Wins) + float64(s.Draws)/2 }

// ratio returns the fraction of the points, 0.5 without games.
func (s Score) ratio() float64 {
	if s.Games() == 0 {
		return 0.5
	}
	return s.Points() / float64(s.Games())
}

// counts returns the number of each result, from lowest to highest, in the model that applies.
func (s Score) counts() []int {
	if s.Pairs != [5]int{} {
		return s.Pairs[:]
	}
	return []int{s.Losses, s.Draws, s.Wins}
}

// ratios returns the fraction of pairs, or without pairs of games, with half of the points, and how many
// pairs were won for each that was lost, which is infinite, or not a number, if none was lost.
func (s Score) ratios() (drawn, wonToLost float64) {
	if p := s.Pairs; p != [5]int{} {
		n, _, _ := moments(p[:])
		return float64(p[2]) / n, float64(p[3]+p[4]) / float64(p[0]+p[1])
	}
	return float64(s.Draws) / float64(s.Games()), math.NaN()
}

func (s Score) model() string {
	if s.Pairs != [5]int{} {
		return "pentanomial"
	}
	return "trinomial"
}

// toElo returns the Elo difference for a score; infinite for 0 and 1.
func toElo(score float64) float64 { return 0 - 400*math.Log10(1/score-1) }

func fromElo(elo float64) float64 { return 1 / (1 + math.Pow(10, -elo/400)) }

// An Estimate is an estimated difference in strength.
type Estimate struct {
	Elo   float64 // infinite for a score of 0 or 1
	Error float64 // half the width of the 95% confidence interval; may be infinite
	LOS   float64 // likelihood of superiority, from 0 to 1
	// NElo is normalized Elo: how many standard deviations of a game's result the score differs from one
	// half, on a scale where it is about Elo if no game is drawn. It and NError are infinite if all results
	// are equal, except that equal players have 0.
	NElo, NError float64
}

// neloScale is the normalized Elo of a difference of one standard deviation.
const neloScale = 800 / math.Ln10

// normal95 is the number of standard deviations of a 95% confidence interval.
const normal95 = 1.959963984540054

// Estimate uses the normal approximation of the score's distribution. If all results are equal the
// variance is zero, and Error infinite. LOS counts half a result of each kind besides those that there
// are, so that few equal results do not make it certain.
func (s Score) Estimate() Estimate {
	counts := s.counts()
	n, mean, variance := moments(counts)
	mean = min(max(mean, 0), 1)
	e := Estimate{Elo: toElo(mean), Error: math.Inf(1), NError: math.Inf(1)}
	games := float64(len(counts)-1) / 2 // per result
	if mean != 0.5 {
		e.NElo = (mean - 0.5) / math.Sqrt(games*variance) * neloScale
	}
	if variance > 0 {
		e.NError = normal95 / math.Sqrt(games*n) * neloScale
	}
	deviation := math.Sqrt(variance / max(n, 1))
	low, high := mean-normal95*deviation, mean+normal95*deviation
	if deviation > 0 && low > 0 && high < 1 {
		e.Error = (toElo(high) - toElo(low)) / 2
	}
	twice := make([]int, len(counts))
	for i, c := range counts {
		twice[i] = 2*c + 1
	}
	n, mean, variance = moments(twice)
	e.LOS = (1 + math.Erf((mean-0.5)/math.Sqrt(2*variance/(n/2)))) / 2
	return e
}

// moments returns the number of results, and the mean and variance of a result's score.
func moments[N int | float64](counts []N) (n, mean, variance float64) {
	for i, c := range counts {
		n += float64(c)
		mean += float64(c) * value(i, counts)
	}
	if n == 0 {
		return 0, 0.5, 0
	}
	mean /= n
	for i, c := range counts {
		d := value(i, counts) - mean
		variance += float64(c) * d * d
	}
	return n, mean, variance / n
}

func value[N int | float64](i int, counts []N) float64 { return float64(i) / float64(len(counts)-1) }

// An SPRT is a sequential probability ratio test of the hypotheses that the Elo difference is Elo0
// (H0) and Elo1 (H1). It is Wald's test with the generalised likelihood ratio, see Michel Van den
// Bergh, "Comparing the approximations for the generalized log likelihood ratio of a multinomial
// distribution" and "Comments on Normalized Elo".
type SPRT struct {
	Elo0, Elo1  float64
	Alpha, Beta float64 // probabilities of accepting H1 if H0 is true, and H0 if H1 is true
	Normalized  bool    // Elo0 and Elo1 are normalized Elo; otherwise logistic
}

// The models of an SPRT: what its Elo is.
const (
	logistic   = "logistic"
	normalized = "normalized"
)

// ParseSPRT parses "elo0=0,elo1=5,alpha=0.05,beta=0.05,model=logistic", separated by commas or blanks.
// Missing keys have these values.
func ParseSPRT(text string) (SPRT, error) {
	test := SPRT{Elo0: 0, Elo1: 5, Alpha: 0.05, Beta: 0.05}
	err := ParseKeys(text, func(key, value string) error {
		if key == "model" {
			if value != logistic && value != normalized {
				return fmt.Errorf("model=%s: want %s or %s", value, logistic, normalized)
			}
			test.Normalized = value == normalized
			return nil
		}
		field, ok := map[string]*float64{"elo0": &test.Elo0, "elo1": &test.Elo1, "alpha": &test.Alpha, "beta": &test.Beta}[key]
		if !ok {
			return fmt.Errorf("unknown key %q: use elo0, elo1, alpha, beta, model", key)
		}
		x, err := strconv.ParseFloat(value, 64)
		if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
			return fmt.Errorf("%s=%s: want a number", key, value)
		}
		*field = x
		return nil
	})
	if err != nil {
		return test, err
	}
	return test, test.Check()
}

// ParseKeys parses KEY=VALUE words, separated by commas or blanks.
func ParseKeys(text string, set func(key, value string) error) error {
	for _, word := range splitKeys(text) {
		key, value, ok := strings.Cut(word, "=")
		if !ok {
			return fmt.Errorf("%q is not KEY=VALUE", word)
		}
		if err := set(key, value); err != nil {
			return err
		}
	}
	return nil
}

func splitKeys(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ' ' })
}

// Check returns why the test is invalid.
func (t SPRT) Check() error {
	farthest := 2000.0 // expected scores beyond are 0 and 1 in practice
	if t.Normalized {
		farthest = 200 // the search for the likeliest distribution does not converge far beyond
	}
	switch {
	case t.Elo0 >= t.Elo1:
		return errors.New("elo0 must be less than elo1")
	case t.Elo0 < -farthest || t.Elo1 > farthest:
		return fmt.Errorf("elo0 and elo1 must be from -%g to %g", farthest, farthest)
	case t.Alpha <= 0 || t.Beta <= 0 || t.Alpha+t.Beta >= 1:
		return errors.New("alpha and beta must be positive, with a sum below 1")
	}
	return nil
}

// String returns the keys of ParseSPRT. It leaves out the logistic model, as files of matches do that are
// older than the other one.
func (t SPRT) String() string {
	text := fmt.Sprintf("elo0=%g,elo1=%g,alpha=%g,beta=%g", t.Elo0, t.Elo1, t.Alpha, t.Beta)
	if t.Normalized {
		text += ",model=" + normalized
	}
	return text
}

func (t SPRT) model() string {
	if t.Normalized {
		return normalized
	}
	return logistic
}

// test returns the state of the test, which has Wald's bounds: H0 is accepted at or below Lower, H1 at or
// above Upper.
func (t SPRT) test(s Score) *Test {
	test := &Test{SPRT: t, LLR: t.llr(s), Lower: math.Log(t.Beta / (1 - t.Alpha)), Upper: math.Log((1 - t.Beta) / t.Alpha)}
	switch {
	case test.LLR >= test.Upper:
		test.Decision = "H1"
	case test.LLR <= test.Lower:
		test.Decision = "H0"
	}
	return test
}

// minCount is the count of a result that has not occurred, so that its logarithm exists.
const minCount = 1e-3

// llr returns the generalised log-likelihood ratio: each hypothesis is represented by the most
// likely distribution that agrees with it.
func (t SPRT) llr(s Score) float64 {
	counts := s.counts()
	if n, _, _ := moments(counts); n == 0 {
		return 0
	}
	weights := make([]float64, len(counts))
	for i, c := range counts {
		weights[i] = max(float64(c), minCount)
	}
	p0, p1, llr := t.likeliest(weights, t.Elo0), t.likeliest(weights, t.Elo1), 0.0
	for i, w := range weights {
		llr += w * math.Log(p1[i]/p0[i])
	}
	return llr
}

// likeliest returns the distribution with this Elo under which the results are the most likely.
func (t SPRT) likeliest(results []float64, elo float64) (p []float64) {
	deviations := make([]float64, len(results))
	if !t.Normalized {
		for i := range deviations {
			deviations[i] = value(i, results) - fromElo(elo)
		}
		return tilt(results, deviations)
	}
	// Of a result's score, the mean differs from one half by ratio standard deviations. This is section 4.1
	// of Van den Bergh's comments: linearized at a distribution, the condition is one on an expected
	// value, for which tilt has the next distribution. The first one is uniform.
	ratio := elo / neloScale * math.Sqrt(float64(len(results)-1)/2)
	p = slices.Repeat([]float64{1}, len(results))
	for range 100 {
		_, mean, variance := moments(p)
		deviation, change := math.Sqrt(variance), 0.0
		for i := range deviations {
			z := (value(i, p) - mean) / deviation
			deviations[i] = value(i, p) - 0.5 - ratio*deviation/2*(1+z*z)
		}
		next := tilt(results, deviations)
		for i := range p {
			change = max(change, math.Abs(next[i]-p[i]))
		}
		if p = next; change < 1e-9 {
			break
		}
	}
	return p
}

// tilt returns the distribution p(i)/(1 + theta d(i)), with p the observed results, in which the mean of
// the deviations d is 0: Van den Bergh's proposition 1.1. The sum decreases with theta.
func tilt(results, d []float64) (p []float64) {
	low, high := -1/slices.Max(d), -1/slices.Min(d)
	theta, total := 0.0, 0.0
	for range 100 {
		sum, slope := 0.0, 0.0
		for i, w := range results {
			x := d[i] / (1 + theta*d[i])
			sum, slope = sum+w*x, slope-w*x*x
		}
		if sum > 0 {
			low = theta
		} else {
			high = theta
		}
		next := theta - sum/slope // Newton's method, where it stays between the bounds
		if !(next > low && next < high) {
			next = (low + high) / 2
		}
		change := math.Abs(next - theta)
		if theta = next; change <= 1e-14*(1+math.Abs(theta)) {
			break
		}
	}
	for _, w := range results {
		total += w
	}
	p = make([]float64, len(results))
	for i, w := range results {
		p[i] = w / total / (1 + theta*d[i])
	}
	return p
}
