package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"qhsh/engine/enginetest"
	"qhsh/engine/lab/gamefile"
	"qhsh/engine/xiangqi/net"
)

// asProgram in the environment makes the test's binary the program itself.
const asProgram = "QHSH_TEST_SELFPLAY"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

// quick returns the flags of fast games.
func quick(folder string, more ...string) []string {
	return append([]string{"-o", folder, "-seed", "7", "-nodes", "10", "-endgames", "30", "-draw", "30"}, more...)
}

func silent() *reporter { return &reporter{w: io.Discard, every: time.Hour} }

// games reads the games of a folder's only file, by number.
func games(t *testing.T, folder string) []*gamefile.Game {
	t.Helper()
	file, err := os.Open(filepath.Join(folder, "7.games"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	r, err := gamefile.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	var list []*gamefile.Game
	for g, err := range r.Games() {
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, g)
	}
	slices.SortFunc(list, func(a, b *gamefile.Game) int { return int(a.Number) - int(b.Number) })
	return list
}

// A run that is killed again and again and resumed, with other numbers of workers, has the
// games of one that is not.
func TestKilled(t *testing.T) {
	whole, broken := filepath.Join(t.TempDir(), "new", "whole"), t.TempDir()
	if err := run(t.Context(), quick(whole, "-games", "16", "-jobs", "1"), silent()); err != nil {
		t.Fatal(err)
	}
	want := games(t, whole)
	if len(want) != 16 {
		t.Fatalf("%d games", len(want))
	}
	path := filepath.Join(broken, "7.games")
	for round := range 3 {
		before := size(path)
		cmd := exec.Command(os.Args[0], quick(broken, "-jobs", "2")...)
		cmd.Env = append(os.Environ(), asProgram+"=1")
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		await(t, path, before+1000)
		if err := cmd.Process.Kill(); err != nil {
			t.Error(err)
		}
		_ = cmd.Wait() // it was killed
		if round == 1 {
			cut(t, path)
		}
	}
	if err := run(t.Context(), quick(broken, "-games", "16", "-jobs", "3"), silent()); err != nil {
		t.Fatal(err)
	}
	got := games(t, broken)
	if len(got) < len(want) {
		t.Fatalf("%d games", len(got))
	}
	if diff := cmp.Diff(want, got[:len(want)]); diff != "" {
		t.Errorf("(-whole +killed):\n%s", diff)
	}
}

func size(path string) int64 {
	info, err := os.Stat(path)
	if err != nil {
		return 0
	}
	return info.Size()
}

// await waits until a file has grown to a size.
func await(t *testing.T, path string, want int64) {
	t.Helper()
	if !enginetest.Await(func() bool { return size(path) >= want }) {
		t.Errorf("%s has not grown to %d bytes", path, want)
	}
}

// cut takes the last byte off a file, as if it had been killed while it wrote.
func cut(t *testing.T, path string) {
	t.Helper()
	if err := os.Truncate(path, size(path)-1); err != nil {
		t.Fatal(err)
	}
}

// An endless run ends with its context, and that is no error; it says what it has played.
func TestInterrupted(t *testing.T) {
	why := errors.New("interrupted")
	ctx, cancel := context.WithCancelCause(t.Context())
	folder := t.TempDir()
	var said strings.Builder
	go func() {
		await(t, filepath.Join(folder, "7.games"), 1000)
		cancel(why)
	}()
	if err := run(ctx, quick(folder, "-jobs", "2"), &reporter{w: &said, every: time.Hour}); err != nil {
		t.Error(err)
	}
	want := regexp.MustCompile(`^\S+7\.games: 0 games so far\n(\d+) games, \d+ positions, [\d.]+ million an hour; red won \d+, black \d+, drawn \d+\n$`)
	match := want.FindStringSubmatch(said.String())
	if match == nil {
		t.Fatalf("it said %q", said.String())
	}
	if n := len(games(t, folder)); match[1] != fmt.Sprint(n) {
		t.Errorf("it said %s, and there are %d", match[1], n)
	}
}

// Openings come from a file, whose contents are terms of the games.
func TestOpenings(t *testing.T) {
	folder := t.TempDir()
	openings := filepath.Join(folder, "openings")
	const fen = "1rbakab1r/9/2n4cn/p1p1p1p1p/9/9/P1P1P1P1P/2N4C1/9/R1BAKABNR w - - 0 1"
	write := func(text string) {
		if err := os.WriteFile(openings, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("# one\n\n" + fen + "\n")
	args := quick(folder, "-games", "2", "-endgames", "0", "-plies", "2", "-openings", openings)
	if err := run(t.Context(), args, silent()); err != nil {
		t.Fatal(err)
	}
	for _, g := range games(t, folder) {
		if g.FEN != fen || len(g.Opening) != 2 {
			t.Errorf("game %d: %s and %d moves", g.Number, g.FEN, len(g.Opening))
		}
	}
	write(fen + "\n")
	if err := run(t.Context(), args, silent()); err == nil || !strings.Contains(err.Error(), "the file has other terms") {
		t.Errorf("other openings: error %v", err)
	}
}

// A network plays other games, which have its name in their terms.
func TestEval(t *testing.T) {
	folder := t.TempDir()
	args := quick(folder, "-games", "2")
	other, err := os.Create(filepath.Join(t.TempDir(), "other.net"))
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	if err := net.Small().Write(other); err != nil {
		t.Fatal(err)
	}
	if err := run(t.Context(), append(args, "-eval", other.Name()), silent()); err != nil {
		t.Fatal(err)
	}
	if err := run(t.Context(), args, silent()); err == nil || !strings.Contains(err.Error(), "the file has other terms") || !strings.Contains(err.Error(), `"eval":"`+net.Embedded().Name) {
		t.Errorf("another evaluation: error %v", err)
	}
}

// A line is refused before anything is made.
func TestRefused(t *testing.T) {
	dir := t.TempDir()
	bad, empty := filepath.Join(dir, "bad"), filepath.Join(dir, "empty")
	for name, text := range map[string]string{bad: "\n9/9 w\n", empty: "\n# none\n"} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for args, want := range map[string]string{
		"":                                  "no folder for the games: give -o FOLDER",
		"-o new games":                      `unexpected argument "games": the folder follows -o`,
		"-o new -jobs -1":                   "jobs=-1: want 1 to 1024, or 0 for one for each processor",
		"-o new -jobs 100000":               "jobs=100000: want 1 to 1024, or 0 for one for each processor",
		"-o new -nodes 0":                   "nodes=0: want 1 to 1000000000000",
		"-o new -nodes 9223372036854775807": "nodes=9223372036854775807: want 1 to 1000000000000",
		"-o new -plies x":                   "plies=x: want two numbers, such as 8-10",
		"-o new -plies 9-8":                 "plies=9-8: want two numbers, the greater one last",
		"-o new -endgames 101":              "endgames=101: want 0 to 100 percent",
		"-o new -resign -5":                 "resign=-5x6: want centipawns and plies",
		"-o new -openings " + bad:           bad + ": line 2: 2 ranks instead of 10",
		"-o new -openings " + empty:         empty + ": no positions",
		"-o new -eval " + bad:               "eval=" + bad + ": want net or a file of weights: net: read weights: not a file of network weights",
		"-o new -gmes 1":                    "flag provided but not defined: -gmes",
	} {
		if err := run(t.Context(), strings.Fields(args), silent()); err == nil || err.Error() != want {
			t.Errorf("%s: error %v, want %s", args, err, want)
		}
	}
	if _, err := os.Stat("new"); err == nil {
		t.Error("a folder was made")
	}
}

// A game that could not be written is not counted.
func TestNotWritten(t *testing.T) {
	w, err := gamefile.Open(filepath.Join(t.TempDir(), "7.games"), "terms", func(*gamefile.Game) {})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	say := silent()
	if err := record(w, say, new(gamefile.Game)); !errors.Is(err, os.ErrClosed) || say.games != 0 {
		t.Errorf("%d games, error %v", say.games, err)
	}
}

// Help begins with how the program is called.
func TestHelp(t *testing.T) {
	var said strings.Builder
	err := run(t.Context(), []string{"-h"}, &reporter{w: &said})
	if !errors.Is(err, flag.ErrHelp) || !strings.HasPrefix(said.String(), "usage: selfplay -o FOLDER [flags]\n  -draw") {
		t.Errorf("error %v, said %s", err, said.String())
	}
}
