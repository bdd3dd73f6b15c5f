package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"qhsh/engine/checkers"
	"qhsh/engine/checkers/eval"
)

// TestRepeatable: the same command finds the same weights, whatever the number of concurrent games.
func TestRepeatable(t *testing.T) {
	files := [2][]byte{}
	for i, jobs := range []string{"1", "3"} {
		name := filepath.Join(t.TempDir(), "weights.go")
		var said bytes.Buffer
		args := []string{"-games", "3", "-nodes", "50", "-rounds", "1", "-variant", "russian", "-jobs", jobs, "-o", name}
		if err := run(t.Context(), args, &said); err != nil {
			t.Fatal(err)
		}
		var err error
		if files[i], err = os.ReadFile(name); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(files[0], files[1]) {
		t.Error("three games at a time find other weights")
	}
}

// TestWriteWeights: weights.go is the output of the command.
func TestWriteWeights(t *testing.T) {
	all := map[checkers.Variant][]eval.Weight{}
	for _, v := range checkers.Variants() {
		all[v] = eval.Tuned(v)
	}
	got, err := formatWeights(all)
	if err != nil {
		t.Fatal(err)
	}
	if want, err := os.ReadFile("../eval/weights.go"); err != nil || !bytes.Equal(got, want) {
		t.Errorf("weights.go is not as it would be written: %v", err)
	}
}
