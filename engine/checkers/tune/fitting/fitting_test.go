package fitting_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"qhsh/engine/checkers/eval"
	"qhsh/engine/checkers/tune/fitting"
)

// games returns seven samples of each of n games. The side that has one more of feature 0, with an
// element of noise from feature 1, wins.
func games(n int) (samples []fitting.Sample) {
	for game := range n {
		for i := range 7 {
			s := fitting.Sample{Phase: float32(i) / 6, Factor: 1, Target: float32(game % 2), Game: game}
			s.Add(0, float32(game%2*2-1))
			s.Add(1, float32(i-3))
			samples = append(samples, s)
		}
	}
	return samples
}

// start are weights to begin with.
func start() []eval.Weight { return []eval.Weight{{Full: 10, Bare: 10}, {Full: 5, Bare: -5}} }

// The descent fits the weights to the samples.
func TestDescend(t *testing.T) {
	var fits []fitting.Fit
	method := fitting.Method{Epochs: 50, Scale: 150}
	weights, err := fitting.Descend(t.Context(), games(3), start(), method, func(_ int, f fitting.Fit) { fits = append(fits, f) })
	if err != nil {
		t.Fatal(err)
	}
	if len(fits) != 2 || fits[1].Train >= fits[0].Train || fits[0].TestSamples != 0 {
		t.Errorf("fits %v, want a second that is better, and no game held back", fits)
	}
	if weights[0].Full <= 10 || weights[0].Bare <= 10 {
		t.Errorf("weights %v, want more for the feature of the winner", weights)
	}
	method.Epochs = 0
	weights, err = fitting.Descend(t.Context(), games(3), start(), method, nil)
	if err != nil || !slices.Equal(weights, start()) {
		t.Errorf("%v, or no step leads away from the start", err)
	}
	if _, err := fitting.Descend(t.Context(), nil, start(), method, nil); err == nil || err.Error() != "descend: no samples to learn from: play more games" {
		t.Errorf("no samples: error %v", err)
	}
}

// An interrupted descent returns no weights.
func TestInterrupted(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if w, err := fitting.Descend(ctx, games(3), start(), fitting.Method{Epochs: 1, Scale: 150}, nil); w != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("%v, %v", w, err)
	}
}

// Whole games are held back: of ten with as many samples each, one.
func TestHeldBack(t *testing.T) {
	var fit fitting.Fit
	if _, err := fitting.Descend(t.Context(), games(10), start(), fitting.Method{Epochs: 1, Scale: 450}, func(_ int, f fitting.Fit) { fit = f }); err != nil {
		t.Fatal(err)
	}
	if fit.TestSamples != 7 || fit.Test < 0.2 || fit.Train < 0.2 || fit.Test == fit.Train {
		t.Errorf("%+v, want the last game's seven samples held back", fit)
	}
}

// A target is a mixture of the result and the chances that the score stands for.
func TestTarget(t *testing.T) {
	for share, want := range map[float64]float32{0: 1, 0.5: 0.75, 1: 0.5} {
		if got := (fitting.Method{SearchShare: share, Scale: 150}).Target(1, 0); got != want {
			t.Errorf("share %g: %g, want %g", share, got, want)
		}
	}
}

// Weights that are no numbers are not returned: of a scale or a target that is none.
func TestNonsense(t *testing.T) {
	broken := games(1)
	broken[0].Target = float32(math.NaN())
	for scale, samples := range map[float64][]fitting.Sample{450: broken, 0: games(1)} {
		const want = "descend: weight 1 of feature 0 has become NaN: use "
		method := fitting.Method{Epochs: 1, Scale: scale}
		if w, err := fitting.Descend(t.Context(), samples, start(), method, func(int, fitting.Fit) {}); w != nil || err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v, %v, want %s", w, err, want)
		}
	}
}
