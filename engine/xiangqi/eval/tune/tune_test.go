package tune_test

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"

	"qhsh/engine/xiangqi/eval"
	"qhsh/engine/xiangqi/eval/tune"
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
	var fits []tune.Fit
	method := tune.DefaultMethod()
	method.Epochs = 50
	weights, err := tune.Descend(games(t, 1), method, func(_ int, f tune.Fit) { fits = append(fits, f) })
	if err != nil {
		t.Fatal(err)
	}
	if len(fits) != 2 || fits[1].Train >= fits[0].Train {
		t.Errorf("fits %v, want a second that is better", fits)
	}
	if *weights == eval.Tuned() {
		t.Error("the weights have not moved")
	}
}

func TestReadSamplesErrors(t *testing.T) {
	for text, want := range map[string]string{
		"fen\t12":          "samples: line 1: 2 fields, want FEN, score and result",
		"f\t1\t1\nf\tx\t1": `samples: line 2: strconv.Atoi: parsing "x": invalid syntax`,
	} {
		if _, err := tune.ReadSamples(bytes.NewReader([]byte(text))); err == nil || err.Error() != want {
			t.Errorf("error %v, want %s", err, want)
		}
	}
}
