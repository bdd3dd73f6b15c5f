package tune

import (
	"encoding/json"
	"math"
	"math/rand/v2"
)

// The constants of SPSA, as Spall recommends them ("Implementation of the simultaneous perturbation
// algorithm for stochastic optimization", IEEE Transactions on Aerospace and Electronic Systems 34,
// 1998) and Fishtest uses them: after k of n pairs of games the players are Step*(n/k)^gamma from the
// value, and the gain is such that at the end a game won moves a value by Rate*Step.
const (
	alpha     = 0.602
	gamma     = 0.101
	stability = 0.1 // of the pairs of a run, added to k in the gain
)

// UsualRate returns the usual Rate of a run of so many games. With it chance alone moves a value by about
// half a step in a run of any length; at 60,000 games it is the 0.002 of Fishtest.
func UsualRate(games int) float64 { return math.Round(0.5e5/math.Sqrt(float64(games))) / 1e5 }

// distance returns how far the players of a step are from the values, in units of Param.Step.
func (c *Config) distance(step int) float64 {
	return math.Pow(float64(c.Pairs)/float64(step*c.Step+1), gamma)
}

// gain returns by how much a game won in a step moves a value, in units of Param.Step.
func (c *Config) gain(step int) float64 {
	n := float64(c.Pairs)
	k := float64(step*c.Step + 1)
	slow := math.Pow((stability*n+n)/(stability*n+k), alpha)
	return c.Rate * slow / c.distance(step)
}

// A trial is what the players of a step have.
type trial struct {
	signs       []float64 // 1 or -1 for each parameter
	plus, minus []json.Number
}

// trial returns the players of a step. It depends on the seed, the step and the values alone.
func (c *Config) trial(step int, values []float64) (t trial) {
	random := rand.New(rand.NewPCG(c.Match.Seed, uint64(step)))
	for i, p := range c.Params {
		sign := float64(2*random.IntN(2) - 1)
		delta, up := sign*p.Step*c.distance(step), random.Float64()
		t.signs = append(t.signs, sign)
		t.plus = append(t.plus, p.round(values[i]+delta, up))
		t.minus = append(t.minus, p.round(values[i]-delta, up))
	}
	return t
}

// update returns the values after a step in which plus has won so many games more than it has lost.
// They are rounded to six decimals, on which all machines agree.
func (c *Config) update(step int, values []float64, t trial, won int) []float64 {
	next := make([]float64, len(values))
	for i, p := range c.Params {
		v := p.clamp(values[i] + c.gain(step)*p.Step*t.signs[i]*float64(won))
		next[i] = math.Round(v*1e6) / 1e6
	}
	return next
}
