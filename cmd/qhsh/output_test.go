package main

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"qhsh/pluginclient/task/output"
)

// TestPipesWithoutReader: an interrupt ends a command that waits for the reader of an output.
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
			got.stderr = want.stderr // it may have printed that there are no openings
		}
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(outcome{})); diff != "" {
			t.Errorf("%q (-want +got):\n%s", args, diff)
		}
	}
}

// TestProfile: a successful command writes a profile, which replaces the previous one. It never
// replaces any other file.
func TestProfile(t *testing.T) {
	layOut(t, "ask.star=print(1)")
	for range 2 {
		got := runQhsh(t.Context(), nil, "run", "-cpuprofile", "cpu.pprof", "ask.star")
		is, err := output.HasPrefix("cpu.pprof", gzipMagic)
		if got.status != exitOK || got.stdout != "1\n" || err != nil || !is {
			t.Errorf("%+v, %v, %v", got, is, err)
		}
	}
	got := runQhsh(t.Context(), nil, "run", "-cpuprofile", "ask.star", "ask.star")
	if want := "-cpuprofile ask.star: that is an input"; got.status != exitUsage || !strings.Contains(got.stderr, want) {
		t.Errorf("%+v", got)
	}
	layOut(t, "ask.star=print(1) positions.fen=startpos")
	got = runQhsh(t.Context(), nil, "run", "-cpuprofile", "positions.fen", "ask.star")
	if want := "-cpuprofile positions.fen: not a profile: name another file"; got.status != exitUsage || !strings.Contains(got.stderr, want) {
		t.Errorf("%+v", got)
	}
}
