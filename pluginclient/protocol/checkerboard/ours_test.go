package checkerboard_test

import (
	"flag"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"qhsh/engine"
	"qhsh/engine/checkers"
	"qhsh/pluginclient"
	"qhsh/pluginclient/protocol/checkerboard"
)

var testLibrary = flag.Bool("library", false, "test the library of the embedded engine, too")

// ours returns the library with the embedded engine, built once; what -trimpath leaves out would be
// compiled again for each checkout.
var ours = sync.OnceValues(func() (string, error) {
	path := filepath.Join(built.dir, "ours.so")
	out, err := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w", "-buildmode=c-shared", "-o", path, "./engine").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%w: %s", err, out)
	}
	return path, nil
})

func ownLibrary(t *testing.T) string {
	t.Helper()
	if !*testLibrary {
		t.Skip("a library is built, for which everything is compiled once more: -library")
	}
	probe(t) // creates the folder, and skips without a C compiler
	path, err := ours()
	if err != nil {
		t.Skipf("the library cannot be built here: %v", err)
	}
	return path
}

// TestBothSides: our host plays our library in every variant for a hundred plies. The client
// validates every answer.
func TestBothSides(t *testing.T) {
	path := ownLibrary(t)
	for _, v := range checkers.Variants() {
		t.Run(v.String(), func(t *testing.T) {
			client, err := checkerboard.Dial(t.Context(), checkerboard.Library(pluginclient.Command{Path: path}), checkerboard.Options{Variant: &v})
			if err != nil {
				t.Fatal(err)
			}
			defer client.Close()
			pos := checkers.Rules{Variant: v}.Start()
			for ply := range 100 {
				if pos.Result().Over() {
					pos = checkers.Rules{Variant: v}.Start()
				}
				lines, err := engine.Best(t.Context(), client, pos, engine.Limits{Time: time.Millisecond})
				if err != nil {
					t.Fatalf("ply %d: %v", ply, err)
				}
				if pos, err = pos.Play(lines[0].Move()); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// TestOwnCommands compares the answers of our library to the commands of the document and to get
// movelist, with CheckerBoard's own examples.
func TestOwnCommands(t *testing.T) {
	client, err := checkerboard.Dial(t.Context(), checkerboard.Library(pluginclient.Command{Path: ownLibrary(t)}), checkerboard.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	for _, c := range [][2]string{
		{"get protocolversion", "1 2"},
		{"get gametype", "1 21"},
		{"set gametype 22", "1 gametype set to 22"},
		{"get gametype", "1 22"},
		{"set gametype 20", "0 ?"},
		{"get movelist B:W31:B3", "1 movelist 2,0,6,6,3,7;0,6,6,3,6;"},
		{"get movelist B:W11,13,19,21:B6,9", "1 movelist 2,2,6,6,6,22,15,11,5,22,19,5;2,6,6,9,25,18,13,5,25,21,5;"},
		{"get movelist B:W1:B", "1 movelist 0"},
		{"get movelist x", "0 ?"},
		{"get book", "1 0"},
		{"set book 3", "1 book is always 0: there is none"},
		{"get dbmbytes", "1 0"},
		{"get hashsize", "1 16"},
		{"set hashsize 8", "1 hashsize set to 8"},
		{"get hashsize", "1 8"},
		{"set hashsize 0", "0 ?"},
		{"set allscores 1", "1 allscores set to 1"},
		{"get allscores", "1 1"},
		{"set gamehist W:W21-32:B1-12 22-18", "1"},
		{"set gamehist W:W21-32:B1-12 22-17", "0 ?"},
		{"set gamehist", "0 ?"},
		{"help", "1"},
		{"frobnicate", "0 ?"},
		{"", "0 ?"},
	} {
		answer, err := client.Raw(t.Context(), strings.TrimSpace("enginecommand "+c[0]))
		if err != nil || strings.Join(answer, "|") != c[1] {
			t.Errorf("%s: %q, %v; want %s", c[0], answer, err, c[1])
		}
	}
}

// TestCHost: a host in C plays a game with our library.
func TestCHost(t *testing.T) {
	path := ownLibrary(t)
	host := filepath.Join(built.dir, "host")
	if out, err := exec.Command(compiler(t), "-w", "-o", host, filepath.Join("testdata", "host.c"), "-ldl").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	out, err := exec.Command(host, path, "1", "40", "set gametype 25", "name").Output()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	if lines[0] != "set gametype 25: 1 gametype set to 25" || lines[1] != "name: 1 qhsh" {
		t.Errorf("%q", lines[:2])
	}
	pos := checkers.NewPosition(checkers.NewBoard(checkers.Russian))
	for i, line := range lines[2:] {
		var color, x1, y1, x2, y2, jumps, before, after int
		if _, err := fmt.Sscanf(line, "%d %d,%d %d,%d %d %d %d", &color, &x1, &y1, &x2, &y2, &jumps, &before, &after); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		next := played(pos, x1, y1, x2, y2, jumps)
		if next == nil {
			t.Fatalf("ply %d: %s in %v", i+1, line, pos)
		}
		pos = next
	}
	if len(lines) < 30 {
		t.Errorf("%d lines", len(lines))
	}
}

// played returns the position after a move with these ends and captures, or nil.
func played(pos *checkers.Position, x1, y1, x2, y2, jumps int) *checkers.Position {
	from, _ := checkers.SquareXY(x1, y1)
	to, _ := checkers.SquareXY(x2, y2)
	for _, m := range pos.Moves() {
		if m := checkers.Move(m); m.From() == from && m.To() == to && m.Captured().Len() == jumps {
			next, _ := pos.Do(m)
			return next
		}
	}
	return nil
}
