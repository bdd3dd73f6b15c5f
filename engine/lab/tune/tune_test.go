package tune_test

import (
	"bytes"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"qhsh/engine/lab/fitting"
	"qhsh/engine/lab/tune"
	"qhsh/engine/xiangqi"
	"qhsh/engine/xiangqi/eval"
)

func games(t *testing.T, jobs int) []tune.Sample {
	t.Helper()
	plan := tune.Plan{Games: 3, Nodes: 50, Seed: 7, Jobs: jobs}
	samples, err := tune.Play(t.Context(), plan, func(int) {})
	if err != nil {
		t.Fatal(err)
	}
	return samples
}

// The same plan gives the same samples, however many games run at a time, and a file
// keeps them.
func TestPlayIsRepeatable(t *testing.T) {
	want := games(t, 1)
	if len(want) == 0 {
		t.Fatal("no samples")
	}
	if diff := cmp.Diff(want, games(t, 3)); diff != "" {
		t.Errorf("three games at a time (-one +three):\n%s", diff)
	}
	var file bytes.Buffer
	if err := tune.WriteSamples(&file, want); err != nil {
		t.Fatal(err)
	}
	got, err := tune.ReadSamples(&file)
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("%v (-written +read):\n%s", err, diff)
	}
}

// The descent fits the weights to the samples.
func TestDescend(t *testing.T) {
	var fits []fitting.Fit
	method := tune.DefaultMethod()
	method.Epochs = 50
	start := plain()
	weights, err := tune.Descend(t.Context(), games(t, 1), start, method, func(_ int, f fitting.Fit) { fits = append(fits, f) })
	if err != nil {
		t.Fatal(err)
	}
	if len(fits) != 2 || fits[1].Train >= fits[0].Train {
		t.Errorf("fits %v, want a second that is better", fits)
	}
	if *weights == *start {
		t.Error("the weights have not moved")
	}
	method.Epochs = 0
	weights, err = tune.Descend(t.Context(), games(t, 1), start, method, nil)
	if err != nil || *weights != *start {
		t.Errorf("%v, or no step leads away from the start", err)
	}
	if _, err := tune.Descend(t.Context(), nil, start, method, nil); err == nil {
		t.Error("no samples are no error")
	}
}

// Whole games are held back: of ten with as many samples each, one.
func TestHeldBack(t *testing.T) {
	var samples []tune.Sample
	for game := range 10 {
		for range 7 {
			samples = append(samples, tune.Sample{FEN: xiangqi.Start().FEN(), Result: float64(game / 9), Game: game})
		}
	}
	method := fitting.Method{Epochs: 1, Scale: 450}
	var fit fitting.Fit
	if _, err := tune.Descend(t.Context(), samples, plain(), method, func(_ int, f fitting.Fit) { fit = f }); err != nil {
		t.Fatal(err)
	}
	if fit.TestSamples != 7 || fit.Test < 0.2 || fit.Train < 0.2 || fit.Test == fit.Train {
		t.Errorf("%+v, want the last game's seven samples held back", fit)
	}
}

// plain returns where the first round begins.
func plain() *[eval.Features]eval.Weight {
	weights := eval.PlainWeights()
	return &weights
}

// The file of weights is what the tuner would write of the weights in it.
func TestWeightsFile(t *testing.T) {
	weights := eval.TunedWeights()
	var got strings.Builder
	if err := tune.WriteWeights(&got, &weights); err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile("../../xiangqi/eval/weights.go")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got.String()); diff != "" {
		t.Errorf("weights.go is not as the tuner writes it (-file +tuner):\n%s", diff)
	}
}

// A file of weights reads as what was written, and is refused where it is another's.
func TestReadWeights(t *testing.T) {
	var file bytes.Buffer
	want := eval.TunedWeights()
	if err := tune.WriteWeights(&file, &want); err != nil {
		t.Fatal(err)
	}
	text := file.String()
	got, err := tune.ReadWeights(&file)
	if err != nil || *got != want {
		t.Errorf("%v, or other weights than were written", err)
	}
	if *plain() == want {
		t.Error("tuning has moved nothing")
	}
	for _, bad := range []string{"", text + "{1, 2}", strings.Replace(text, "{", "{99999, 1}, {", 2)} {
		if _, err := tune.ReadWeights(strings.NewReader(bad)); err == nil {
			t.Errorf("no error for %.80q", bad)
		}
	}
}

func TestReadSamplesErrors(t *testing.T) {
	start := xiangqi.Start().FEN()
	for text, want := range map[string]string{
		"fen\t12": "samples: line 1: 2 fields, want FEN, score, result and game",
		start + "\t1\t1\t0\n" + start + "\tx\t1\t0": `samples: line 2: strconv.Atoi: parsing "x": invalid syntax`,
		start + "\t1\t1\t0\nf\t1\t1\t0":             `samples: line 2: 1 rank instead of 10`,
		start + "\t1\tNaN\t0":                       `samples: line 1: result NaN: want 0 to 1`,
		start + "\t1\t1.5\t0":                       `samples: line 1: result 1.5: want 0 to 1`,
		start + "\t1\t1\t-1":                        `samples: line 1: game -1: want 0 or more`,
	} {
		if _, err := tune.ReadSamples(bytes.NewReader([]byte(text))); err == nil || err.Error() != want {
			t.Errorf("error %v, want %s", err, want)
		}
	}
}

// Neither a plan nor a method that makes no sense is tried, and weights that are no numbers
// are not handed out.
func TestNonsense(t *testing.T) {
	for _, plan := range []tune.Plan{{Games: -5, Nodes: 1}, {Games: 1, Nodes: -5}, {Games: 1}, {Games: 1, Nodes: 1, Jobs: -1}} {
		if samples, err := tune.Play(t.Context(), plan, nil); err == nil || samples != nil {
			t.Errorf("%+v: %v, %v", plan, samples, err)
		}
	}
	samples := []tune.Sample{{FEN: xiangqi.Start().FEN(), Result: math.NaN()}}
	good := fitting.Method{Epochs: 1, Scale: 450}
	for name, m := range map[string]fitting.Method{
		"epochs": {Epochs: -1, Scale: 450}, "scale": {}, "trust": {Scale: 1, SearchShare: math.NaN()}, "hold": {Scale: 1, Decay: -1},
		"become NaN": good,
	} {
		if w, err := tune.Descend(t.Context(), samples, plain(), m, func(int, fitting.Fit) {}); w != nil || err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v, %v", name, w != nil, err)
		}
	}
}
