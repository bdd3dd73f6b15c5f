package main

import (
	"io"
	"os"
	"runtime"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestInterruptTree sends SIGINT during the search of the second position: the tree so far is
// written.
func TestInterruptTree(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a process cannot be sent Ctrl-C on Windows")
	}
	tomb := t.TempDir() + "/engine"
	p := startQhsh(t, nil, "tree", "-width", "2", "-wait-quit", "20s",
		"-engine", "fakeplugin -hang -at rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/R8/1NBAKABNR -once "+tomb)
	awaitFile(t, tomb) // the engine hangs
	if err := p.cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	got, err := io.ReadAll(p.lines)
	if err != nil {
		t.Fatal(err)
	}
	want := `rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1
├── A0-A1  +0.10  depth 1
└── A0-A2  +0.05  depth 1

1 position searched, 2 moves, 2 not reached
`
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("stdout (-want +got):\n%s", diff)
	}
	if status := p.status(t); status != exitInterrupted || p.stderr.String() != "qhsh tree: interrupted\n" {
		t.Errorf("status %d, stderr %q", status, p.stderr.String())
	}
}

// TestTreeSearches: the bar is full at the end of the search if no position occurs twice.
func TestTreeSearches(t *testing.T) {
	for _, c := range []struct{ width, depth, most, want int }{
		{3, 4, 10_000, 40},
		{1, 5, 10_000, 5},
		{2, 3, 100, 7},
		{3, 4, 10, 3},
		{1000, 100, 1_000_000, 1000},
		{3, 4, 3, 1},
	} {
		a := treeAction{width: c.width, deep: c.depth, most: c.most}
		if got := a.searches(); got != c.want {
			t.Errorf("%+v: %d searches", c, got)
		}
	}
}
