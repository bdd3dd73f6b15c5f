package main

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestBenchOwnLevels: a plugin cannot be limited in nodes, so that all search at their own levels.
func TestBenchOwnLevels(t *testing.T) {
	file := filepath.Join(t.TempDir(), "one.fen")
	write(t, file, "startpos\n")
	got := runQhsh(t.Context(), nil, "bench", "-positions", file, "builtin,nodes=10", "other=fakeplugin")
	const want = "qhsh bench: other does not support the default limit of 500000 nodes: every engine searches at its own level; -level N or -timeout DURATION sets a common limit\n"
	if got.status != exitOK || got.stderr != want || !strings.Contains(got.stdout, "\nother ") {
		t.Errorf("%+v", got)
	}
	got = runQhsh(t.Context(), nil, "bench", "-perft", "1", "fakeplugin")
	if got.status != exitOK || got.stderr != "" {
		t.Errorf("perft: %+v", got)
	}
}
