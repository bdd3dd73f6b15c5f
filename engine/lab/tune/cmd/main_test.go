package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"qhsh/engine/xiangqi"
	"qhsh/engine/xiangqi/eval"
)

// A line is refused before a game is played, and leaves nothing behind.
func TestRefused(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	good := "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1\t10\t0.5\t0\n"
	badFEN := file("fen.tsv", good+"9/9 w\t10\t0.5\t0\n")
	badResult := file("result.tsv", strings.Replace(good, "0.5", "NaN", 1))
	empty := file("empty.tsv", "")
	out, nowhere := filepath.Join(dir, "out"), filepath.Join(dir, "no", "out")
	for _, c := range []struct {
		args string
		want string // the error
	}{
		{"-gams 5", "flag provided but not defined: -gams"},
		{"-games -5", "games=-5: want at least 1"},
		{"-games 0", "games=0: want at least 1"},
		{"-nodes -5", "nodes=-5: want at least 1 a move"},
		{"-jobs -1", "jobs=-1: want at least 1, or 0 for one for each processor"},
		{"-epochs -1", "epochs=-1: want a number of steps"},
		{"-scale 0 -epochs 2", "scale=0: want centipawns, more than 0"},
		{"-scale NaN", "scale=NaN: want centipawns, more than 0"},
		{"-scale +Inf", "scale=+Inf: want centipawns, more than 0"},
		{"-rounds 0", "rounds=0: want at least 1"},
		{"-samples s.tsv", "rounds=4: a file of samples is that of one round: add -rounds 1"},
		{"-trust 1.5", "trust=1.5: want 0 to 1"},
		{"-hold NaN", "hold=NaN: want 0 or more"},
		{"-games -5 -epochs -1", "games=-5: want at least 1\nepochs=-1: want a number of steps"},
		{"weights.go", `unexpected argument "weights.go": the files follow -samples, -from and -o`},
		{"-rounds 1 -o " + out + " -samples " + nowhere, "open " + nowhere + ".new: no such file or directory"},
		{"-o " + nowhere, "open " + nowhere + ".new: no such file or directory"},
		{"-o " + dir, dir + " is a folder: name a file in it"},
		{"-rounds 1 -o " + out + " -samples " + badFEN, badFEN + ": samples: line 2: 2 ranks instead of 10"},
		{"-rounds 1 -o " + out + " -samples " + badResult, badResult + ": samples: line 1: result NaN: want 0 to 1"},
		{"-rounds 1 -o " + out + " -samples " + empty, "descend: no samples to learn from: play more games"},
		{"-o " + out + " -from " + empty, fmt.Sprintf("%s: weights: the file has 0, the evaluation %d", empty, eval.Features)},
	} {
		err := run(t.Context(), strings.Fields(c.args), new(strings.Builder))
		if got := strings.ReplaceAll(errorText(err), "The system cannot find the path specified.", "no such file or directory"); got != c.want {
			t.Errorf("%s: %s\nwant %s", c.args, got, c.want)
		}
	}
	if got, want := names(t, dir), []string{"empty.tsv", "fen.tsv", "result.tsv"}; !slices.Equal(got, want) {
		t.Errorf("left behind: %v, want %v", got, want)
	}
}

func errorText(err error) string {
	if err == nil {
		return "no error"
	}
	return err.Error()
}

func names(t *testing.T, dir string) (list []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		list = append(list, e.Name())
	}
	return list
}

// What is played and learned is written whole, and the games are not played twice. Who
// interrupts finds the old files as they were.
func TestRun(t *testing.T) {
	dir := t.TempDir()
	samples, out := filepath.Join(dir, "s.tsv"), filepath.Join(dir, "w.txt")
	line := func(more ...string) []string {
		return append([]string{"-rounds", "1", "-nodes", "20", "-games", "2", "-epochs", "2", "-samples", samples, "-o", out}, more...)
	}
	read := func(path string) string {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	var said strings.Builder
	if err := run(t.Context(), line(), &said); err != nil {
		t.Fatal(err)
	}
	first := read(out)
	if !strings.Contains(said.String(), "epoch 1: error") || strings.Count(first, "{") < int(eval.Features) {
		t.Errorf("it said %q and wrote\n%.200s", said.String(), first)
	}
	if err := run(t.Context(), line("-from", out, "-seed", "9"), &said); err != nil || read(out) == first {
		t.Errorf("%v, or a step from other weights leads to the same", err)
	}
	second := read(out)
	stopped, stop := context.WithCancel(t.Context())
	stop()
	if err := run(stopped, line(), &said); err == nil || read(out) != second {
		t.Errorf("interrupted: %v, or the weights have changed", err)
	}
	if got, want := names(t, dir), []string{"s.tsv", "w.txt"}; !slices.Equal(got, want) {
		t.Errorf("left behind: %v, want %v", got, want)
	}
}

// Two rounds are one, and another that plays by the weights of the first with the next seed;
// when they are over the weights in use are what they were.
func TestRounds(t *testing.T) {
	dir := t.TempDir()
	find := func(name, args string) string {
		path := filepath.Join(dir, name)
		line := "-nodes 20 -games 2 -epochs 5 " + strings.ReplaceAll(args, "DIR", dir) + " -o " + path
		if err := run(t.Context(), strings.Fields(line), new(strings.Builder)); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	board := xiangqi.Start().Board()
	before := eval.Score(board, eval.New(board))
	both := find("both", "-seed 3 -rounds 2")
	first := find("first", "-seed 3 -rounds 1")
	if second := find("second", "-seed 4 -rounds 1 -from DIR/first"); second != both || first == both {
		t.Error("two rounds together find other weights than one by one")
	}
	if after := eval.Score(board, eval.New(board)); after != before {
		t.Errorf("the start is worth %d before and %d after", before, after)
	}
}
