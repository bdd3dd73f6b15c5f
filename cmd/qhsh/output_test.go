package main

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestPipesWithoutReader: an interruption ends a command that waits for the reader of an output.
func TestPipesWithoutReader(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pipe")
	if err := makePipe(path); err != nil {
		t.Skip(err)
	}
	for _, args := range [][]string{
		{"hints", "-format", "json", "-o", path},
		{"hints", "-trace", path},
		{"hints", "-summary", path},
		{"tree", "-format", "svg", "-o", path},
		{"board", "-format", "svg", "-o", path},
		{"match", "-pgnout", path, "builtin", "builtin"},
	} {
		ctx, stop := context.WithCancel(t.Context())
		done := make(chan outcome)
		go func() { done <- runQhsh(ctx, nil, args...) }()
		stop()
		want := outcome{exitInterrupted, "", "qhsh " + args[0] + ": interrupted\n"}
		got := <-done
		if args[0] == "match" {
			got.stderr = want.stderr // it may have said that there are no openings
		}
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(outcome{})); diff != "" {
			t.Errorf("%q (-want +got):\n%s", args, diff)
		}
	}
}
