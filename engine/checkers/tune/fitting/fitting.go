// Package fitting finds the weights of an evaluation that is a sum of features. It uses gradient
// descent to minimize the error with which the evaluation predicts the targets of samples.
//
// A feature has two weights, one for a full and one for a bare board. The evaluation interpolates
// between them.
package fitting

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"qhsh/engine/checkers/eval"
)

// A Method has the parameters of the optimization.
type Method struct {
	Epochs      int
	SearchShare float64 // 0: only results count, 1: only the search's scores
	Scale       float64 // centipawns that an expected result of e/(1+e), 73 %, is worth
	Decay       float64 // how strongly a weight is pulled back to its initial value
}

// A Sample is the features of a position and the expected result.
type Sample struct {
	Feature []uint16
	Count   []float32 // count of each Feature
	Phase   float32   // 1 on a full board, 0 on a bare one
	Factor  float32   // scales the evaluation
	Target  float32   // the expected result, from 0 to 1
	Game    int       // number of its game, from 0
}

// Add adds a feature and its count.
func (s *Sample) Add(feature int, count float32) {
	if count != 0 {
		s.Feature, s.Count = append(s.Feature, uint16(feature)), append(s.Count, count)
	}
}

// Target returns the expected result of a position, from the result of the game, from 0 to 1, and
// the score of the search in centipawns.
func (m Method) Target(result float64, score int) float32 {
	return float32((1-m.SearchShare)*result + m.SearchShare*sigmoid(float64(score)/m.Scale))
}

func sigmoid(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

// A Fit is how well weights predict the targets: the mean squared error on the training samples and
// on the test samples, which are those of every tenth game. Whole games are held back because
// positions of one game are similar.
type Fit struct {
	Train, Test float64
	TestSamples int // number of test samples; 0 with fewer than ten games
}

func (f Fit) String() string {
	if f.TestSamples == 0 {
		return fmt.Sprintf("error %.6f, with no game held back", f.Train)
	}
	return fmt.Sprintf("error %.6f, on held-back games %.6f", f.Train, f.Test)
}

// testInterval is the interval of games that are used as test samples.
const testInterval = 10

// Descend finds weights that predict the samples better than from, by full-batch gradient descent
// with Adam. It calls report regularly. It is an error if there are no samples, if the context ends, or
// if a weight overflows or is no number.
func Descend(ctx context.Context, samples []Sample, from []eval.Weight, m Method, report func(epoch int, f Fit)) ([]eval.Weight, error) {
	start := make([]float64, 0, 2*len(from))
	for _, w := range from {
		start = append(start, float64(w.Full), float64(w.Bare))
	}
	d := newDescent(samples, start, m)
	if len(d.train) == 0 {
		return nil, errors.New("descend: no samples to learn from: play more games")
	}
	for epoch := 1; epoch <= m.Epochs; epoch++ {
		if err := context.Cause(ctx); err != nil {
			return nil, fmt.Errorf("descend: %w", err)
		}
		d.step(epoch)
		if epoch%50 == 0 || epoch == 1 {
			report(epoch, d.fit())
		}
	}
	weights := make([]eval.Weight, len(from))
	for i := range weights {
		full, fullErr := d.rounded(2 * i)
		bare, bareErr := d.rounded(2*i + 1)
		if err := cmp.Or(fullErr, bareErr); err != nil {
			return nil, err
		}
		weights[i] = eval.Weight{Full: full, Bare: bare}
	}
	return weights, nil
}

// A descent is the state of the optimization. Each feature has two elements: its weight on a full
// and on a bare board.
type descent struct {
	method       Method
	train, test  []Sample
	start        []float64
	now          []float64
	gradient     []float64
	firstMoment  []float64
	secondMoment []float64
}

func newDescent(all []Sample, start []float64, m Method) *descent {
	d := &descent{method: m, start: start}
	for _, e := range all {
		if e.Game%testInterval == testInterval-1 {
			d.test = append(d.test, e)
		} else {
			d.train = append(d.train, e)
		}
	}
	n := len(d.start)
	d.now = slices.Clone(d.start)
	d.gradient, d.firstMoment, d.secondMoment = make([]float64, n), make([]float64, n), make([]float64, n)
	return d
}

// predict returns the predicted result of a sample.
func (d *descent) predict(e *Sample) float64 {
	full, bare := 0.0, 0.0
	for i, f := range e.Feature {
		full += float64(e.Count[i]) * d.now[2*f]
		bare += float64(e.Count[i]) * d.now[2*f+1]
	}
	v := full*float64(e.Phase) + bare*float64(1-e.Phase)
	return sigmoid(v * float64(e.Factor) / d.method.Scale)
}

// step performs one step of the optimizer.
func (d *descent) step(epoch int) {
	clear(d.gradient)
	for i := range d.train {
		d.addGradient(&d.train[i])
	}
	const fast, slow, tiny = 0.9, 0.999, 1e-12
	rate := 2.0
	if epoch > d.method.Epochs/2 {
		rate = 0.5
	}
	a, b := 1-math.Pow(fast, float64(epoch)), 1-math.Pow(slow, float64(epoch))
	for i := range d.now {
		g := d.gradient[i]/float64(len(d.train)) + d.method.Decay*(d.now[i]-d.start[i])
		d.firstMoment[i] = fast*d.firstMoment[i] + (1-fast)*g
		d.secondMoment[i] = slow*d.secondMoment[i] + (1-slow)*g*g
		d.now[i] -= rate * d.firstMoment[i] / a / (math.Sqrt(d.secondMoment[i]/b) + tiny)
	}
}

func (d *descent) addGradient(e *Sample) {
	p := d.predict(e)
	g := 2 * (p - float64(e.Target)) * p * (1 - p) * float64(e.Factor) / d.method.Scale
	full, bare := g*float64(e.Phase), g*float64(1-e.Phase)
	for i, f := range e.Feature {
		d.gradient[2*f] += full * float64(e.Count[i])
		d.gradient[2*f+1] += bare * float64(e.Count[i])
	}
}

func (d *descent) fit() Fit { return Fit{d.meanError(d.train), d.meanError(d.test), len(d.test)} }

func (d *descent) meanError(list []Sample) float64 {
	sum := 0.0
	for i := range list {
		x := d.predict(&list[i]) - float64(list[i].Target)
		sum += x * x
	}
	return sum / float64(max(1, len(list)))
}

// rounded returns element i as an integer. NaN and overflow are errors.
func (d *descent) rounded(i int) (int32, error) {
	v := math.Round(d.now[i])
	if !(v >= math.MinInt16 && v <= math.MaxInt16) {
		return 0, fmt.Errorf("descend: weight %d of feature %d has become %g: use another scale or fewer epochs", i%2+1, i/2, v)
	}
	return int32(v), nil
}
