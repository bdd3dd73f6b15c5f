package tune

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// A Param is an option to tune.
type Param struct {
	Name            string
	Start, Min, Max float64
	Step            float64 // by which the players of the last step differ from the value
	Decimals        int     // after the decimal point of values that the engine gets
}

// maxDecimals bounds Param.Decimals: more has no effect on the games.
const maxDecimals = 6

// ParseParam parses NAME=START,MIN,MAX,STEP. The engine gets values with as many decimals as START,
// MIN and MAX have: integers if they are integers.
func ParseParam(text string) (p Param, err error) {
	name, rest, ok := strings.Cut(text, "=")
	fields := strings.Split(rest, ",")
	if !ok || name == "" || len(fields) != 4 {
		return p, errors.New("want NAME=START,MIN,MAX,STEP, such as margin.reverse=70,20,150,10")
	}
	p.Name = name
	for i, to := range []*float64{&p.Start, &p.Min, &p.Max, &p.Step} {
		field := strings.TrimSpace(fields[i])
		if *to, err = strconv.ParseFloat(field, 64); err != nil || math.IsInf(*to, 0) || math.IsNaN(*to) || strings.ContainsAny(field, "xXpP_") {
			return p, fmt.Errorf("%s: %q is not a number", name, field)
		}
		if to != &p.Step {
			p.Decimals = max(p.Decimals, decimals(field))
		}
	}
	return p, p.check()
}

// decimals returns how many digits a number has after the decimal point, also one such as 1e-2.
func decimals(number string) int {
	mantissa, exponent, _ := strings.Cut(strings.ToLower(number), "e")
	_, fraction, _ := strings.Cut(mantissa, ".")
	shift, _ := strconv.Atoi(exponent) // 0 without one
	return max(0, len(fraction)-shift)
}

func (p Param) check() error {
	switch {
	case p.Min >= p.Max:
		return fmt.Errorf("%s: MIN %g must be less than MAX %g", p.Name, p.Min, p.Max)
	case p.Start < p.Min || p.Start > p.Max:
		return fmt.Errorf("%s: START %g is not between MIN %g and MAX %g", p.Name, p.Start, p.Min, p.Max)
	case p.Step <= 0 || p.Step > (p.Max-p.Min)/2:
		return fmt.Errorf("%s: STEP %g: want more than 0, at most half of the range", p.Name, p.Step)
	case p.Decimals > maxDecimals:
		return fmt.Errorf("%s: want at most %d decimals", p.Name, maxDecimals)
	case p.Step < minStep(p.Decimals):
		return fmt.Errorf("%s: STEP %g: want at least %g: values have as many decimals as START, MIN and MAX, and the players, a STEP to either side, must differ", p.Name, p.Step, minStep(p.Decimals))
	}
	return nil
}

// minStep returns half of the last decimal: with less, the players of a step may be the same after
// rounding.
func minStep(decimals int) float64 { return 0.5 * math.Pow10(-decimals) }

func (p Param) String() string {
	return fmt.Sprintf("%s=%s,%s,%s,%g", p.Name, p.format(p.Start), p.format(p.Min), p.format(p.Max), p.Step)
}

// clamp returns the value in the range of p that is nearest to v.
func (p Param) clamp(v float64) float64 { return max(p.Min, min(p.Max, v)) }

// round returns v with the decimals of p. It is rounded up if its rest is at least 1-up: a half rounds
// to the nearest, a random number without bias.
func (p Param) round(v, up float64) json.Number {
	unit := math.Pow10(p.Decimals)
	n := math.Floor(p.clamp(v)*unit + up)
	return json.Number(p.format(n / unit))
}

// format returns a value as the engine gets it.
func (p Param) format(v float64) string { return strconv.FormatFloat(v, 'f', p.Decimals, 64) }
