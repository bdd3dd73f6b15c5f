package games_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"qhsh/engine"
	"qhsh/engine/games"
	"qhsh/engine/xiangqi"
	"qhsh/engine/xiangqi/net"
)

// zeroWeights writes weights by which every position is worth 100 centipawns to the side to move.
func zeroWeights(t *testing.T, name string) (path string) {
	t.Helper()
	w := net.NewWeights(64)
	w.Name, w.Scale = name, 400
	for i := range w.OutputBias {
		w.OutputBias[i] = net.QA * net.QB / 4
	}
	path = filepath.Join(t.TempDir(), name+net.Extension)
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if err := w.Write(file); err != nil {
		t.Fatal(err)
	}
	return path
}

// xiangqiEngine returns the engine with a value of the option eval.
func xiangqiEngine(t *testing.T, eval string) (games.Engine, error) {
	t.Helper()
	return table.Row(xiangqi.Rules).Engine(xiangqi.Rules, []games.Setting{{Key: "eval", Value: eval}})
}

// A network from a file evaluates the positions of a search, and identifies the engine.
func TestNetworkFromFile(t *testing.T) {
	path := zeroWeights(t, "zero")
	e, err := xiangqiEngine(t, path)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(e.Evaluation, "zero-") || len(e.Evaluation) != len("zero-")+16 || !slices.Equal(e.Files, []string{path}) {
		t.Errorf("evaluation %q of the files %q", e.Evaluation, e.Files)
	}
	s, err := e.New()
	if err != nil {
		t.Fatal(err)
	}
	lines, err := engine.Best(t.Context(), s, xiangqi.Start(), engine.Limits{Depth: 2})
	if cp, ok := lines[0].Score.Centipawns(); err != nil || !ok || cp != 100 {
		t.Errorf("%v, %v: want 100 centipawns", lines[0].Score, err)
	}
}

// Engines with different evaluations have different identities.
func TestEvaluationsDiffer(t *testing.T) {
	a, b := zeroWeights(t, "a"), zeroWeights(t, "b")
	seen := map[string]string{}
	for _, value := range []string{"small", "net", a, b} {
		e, err := xiangqiEngine(t, value)
		if err != nil || e.Evaluation == "" {
			t.Fatalf("%s: %q, %v", value, e.Evaluation, err)
		}
		if before, ok := seen[e.Evaluation]; ok {
			t.Errorf("%s and %s are both %s", before, value, e.Evaluation)
		}
		seen[e.Evaluation] = value
	}
}

func TestWrongEvaluations(t *testing.T) {
	damaged := zeroWeights(t, "damaged")
	if err := os.Truncate(damaged, 1000); err != nil {
		t.Fatal(err)
	}
	missing := filepath.Join(t.TempDir(), "missing.net")
	for value, want := range map[string]string{
		"":        "eval=: want net, small or a file of weights",
		"tapered": "eval=tapered: the hand-made evaluation is gone: use eval=small",
		missing:   "eval=" + missing + ": want net, small or a file of weights: ",
		damaged:   "eval=" + damaged + ": want net, small or a file of weights: net: read weights: file is truncated or damaged: its checksum is wrong",
	} {
		if _, err := xiangqiEngine(t, value); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
