package match

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// The arithmetic of matches. A score is a fraction of the points, from 0 to 1; Elo is the
// logistic scale, on which a difference d expects the score 1/(1+10^(-d/400)).
//
// Games of a pair share their opening, so their results hang together, and the deviation
// of the score is that of the results of pairs: five of them, from 0 to 2 points (the
// pentanomial model). Where there are no pairs it is that of games (the trinomial one).

// Score is what a player has got.
type Score struct {
	Wins, Draws, Losses int
	// Pairs counts the complete pairs of games with one opening by the half points that
	// they have brought: 0 to 4.
	Pairs [5]int
}

// Games returns how many there are.
func (s Score) Games() int { return s.Wins + s.Draws + s.Losses }

// Points returns a game's worth of points for each win, and half of it for a draw.
func (s Score) Points() float64 { return float64(s.Wins) + float64(s.Draws)/2 }

// ratio returns the fraction of the points; one half of none.
func (s Score) ratio() float64 {
	if s.Games() == 0 {
		return 0.5
	}
	return s.Points() / float64(s.Games())
}

// reversed returns the score of the opponent.
func (s Score) reversed() Score {
	p := s.Pairs
	return Score{s.Losses, s.Draws, s.Wins, [5]int{p[4], p[3], p[2], p[1], p[0]}}
}

// counts returns how often there was each result, from nothing to all, in the model that the
// score allows.
func (s Score) counts() []int {
	if s.Pairs != [5]int{} {
		return s.Pairs[:]
	}
	return []int{s.Losses, s.Draws, s.Wins}
}

// model names the model of the deviation.
func (s Score) model() string {
	if s.Pairs != [5]int{} {
		return "pentanomial"
	}
	return "trinomial"
}

// toElo returns the difference in strength that a score stands for: infinite for 0 and 1.
func toElo(score float64) float64 { return 0 - 400*math.Log10(1/score-1) }

// fromElo returns the score that a difference in strength expects.
func fromElo(elo float64) float64 { return 1 / (1 + math.Pow(10, -elo/400)) }

// An Estimate is what a score tells of the difference in strength.
type Estimate struct {
	Elo   float64 // infinite for a score of 0 or 1
	Error float64 // half the width of the interval that holds Elo with 95%; infinite if it has no end
	LOS   float64 // the likelihood of being the stronger one, from 0 to 1
}

// normal95 is how many deviations hold 95% of a normal distribution.
const normal95 = 1.959963984540054

// Estimate works with the normal approximation of the score's distribution. Where all
// results are alike they have no spread to go by: Error is infinite then, and LOS that of
// as many games won or lost by players of equal strength, a sign test.
func (s Score) Estimate() Estimate {
	n, mean, variance := moments(s.counts())
	if n == 0 {
		return Estimate{Error: math.Inf(1), LOS: 0.5}
	}
	mean = min(max(mean, 0), 1)
	deviation := math.Sqrt(variance / n)
	e := Estimate{Elo: toElo(mean), Error: math.Inf(1), LOS: 0.5}
	switch {
	case deviation > 0:
		e.LOS = (1 + math.Erf((mean-0.5)/deviation/math.Sqrt2)) / 2
	case mean != 0.5:
		e.LOS = (1 + math.Copysign(math.Erf(math.Sqrt(n/2)), mean-0.5)) / 2
	}
	low, high := mean-normal95*deviation, mean+normal95*deviation
	if deviation > 0 && low > 0 && high < 1 {
		e.Error = (toElo(high) - toElo(low)) / 2
	}
	return e
}

// moments returns the number of results, and the mean and the variance of the score in one.
func moments(counts []int) (n, mean, variance float64) {
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

// value returns the score of a result.
func value(i int, counts []int) float64 { return float64(i) / float64(len(counts)-1) }

// An SPRT is a sequential probability ratio test: it decides as soon as it can between the
// hypotheses that one player is stronger than the other by Elo0 and by Elo1, logistic Elo.
// It is Wald's test with the generalised likelihood ratio, see
// Michel Van den Bergh, "Comparing the approximations for the generalized log likelihood
// ratio of a multinomial distribution".
type SPRT struct {
	Elo0, Elo1  float64
	Alpha, Beta float64 // how often it may accept Elo1 where Elo0 is true, and the reverse
}

// defaultSPRT returns the test that most people want.
func defaultSPRT() SPRT { return SPRT{Elo0: 0, Elo1: 5, Alpha: 0.05, Beta: 0.05} }

// ParseSPRT reads "elo0=0,elo1=5,alpha=0.05,beta=0.05", with blanks or commas in between.
// What is left out is defaultSPRT's.
func ParseSPRT(text string) (SPRT, error) {
	test := defaultSPRT()
	err := parseKeys(text, func(key, value string) error {
		field, ok := map[string]*float64{"elo0": &test.Elo0, "elo1": &test.Elo1, "alpha": &test.Alpha, "beta": &test.Beta}[key]
		if !ok {
			return fmt.Errorf("there is no %q, only elo0, elo1, alpha and beta", key)
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

// parseKeys reads KEY=VALUE, with blanks or commas in between.
func parseKeys(text string, set func(key, value string) error) error {
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

// Check reports why there is no such test.
func (t SPRT) Check() error {
	const farthest = 2000 // beyond, scores are 0 and 1 for all that can be counted
	switch {
	case t.Elo0 >= t.Elo1:
		return errors.New("elo0 must be less than elo1")
	case t.Elo0 < -farthest || t.Elo1 > farthest:
		return fmt.Errorf("elo0 and elo1 go from -%d to %d", farthest, farthest)
	case t.Alpha <= 0 || t.Beta <= 0 || t.Alpha+t.Beta >= 1:
		return errors.New("alpha and beta must be more than 0, and less than 1 together")
	}
	return nil
}

func (t SPRT) String() string {
	return fmt.Sprintf("elo0=%g,elo1=%g,alpha=%g,beta=%g", t.Elo0, t.Elo1, t.Alpha, t.Beta)
}

// bounds are Wald's: below the lower one Elo0 is accepted, above the upper one Elo1.
func (t SPRT) bounds() (lower, upper float64) {
	return math.Log(t.Beta / (1 - t.Alpha)), math.Log((1 - t.Beta) / t.Alpha)
}

// decide reports which hypothesis the score accepts: "H0", "H1", or nothing yet.
func (t SPRT) decide(s Score) string {
	lower, upper := t.bounds()
	switch llr := t.llr(s); {
	case llr >= upper:
		return "H1"
	case llr <= lower:
		return "H0"
	}
	return ""
}

// minCount is what a result that has not come up counts, so that its logarithm exists.
const minCount = 1e-3

// llr returns the generalised log-likelihood ratio of the hypotheses: of all distributions with
// the score that a hypothesis expects the one is taken that makes the results likeliest.
func (t SPRT) llr(s Score) float64 {
	counts := s.counts()
	if n, _, _ := moments(counts); n == 0 {
		return 0
	}
	s0, s1 := fromElo(t.Elo0), fromElo(t.Elo1)
	t0, t1 := tilt(counts, s0), tilt(counts, s1)
	llr := 0.0
	for i := range counts {
		a := value(i, counts)
		llr += weight(counts[i]) * math.Log((1+t0*(a-s0))/(1+t1*(a-s1)))
	}
	return llr
}

func weight(count int) float64 { return max(float64(count), minCount) }

// tilt returns the theta for which the distribution p(a)/(1 + theta(a-s)), with p that of the
// results, has the mean s: Van den Bergh's proposition 1.1. The sum falls with theta.
func tilt(counts []int, s float64) float64 {
	low, high := -1/(1-s), 1/s
	for range 100 {
		theta, sum := (low+high)/2, 0.0
		for i := range counts {
			d := value(i, counts) - s
			sum += weight(counts[i]) * d / (1 + theta*d)
		}
		if sum > 0 {
			low = theta
		} else {
			high = theta
		}
	}
	return (low + high) / 2
}
