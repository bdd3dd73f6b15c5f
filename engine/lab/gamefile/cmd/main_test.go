package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"qhsh/engine"
	"qhsh/engine/lab/gamefile"
	"qhsh/engine/xiangqi"
)

// game returns a game of moves in ICCS, each with a score behind it.
func game(t *testing.T, number uint64, fen, moves string, score gamefile.Score, result engine.Result) *gamefile.Game {
	t.Helper()
	g := &gamefile.Game{Number: number, FEN: fen, Result: result}
	for _, word := range strings.Fields(moves) {
		m, err := xiangqi.ParseMove(word)
		if err != nil {
			t.Fatal(err)
		}
		g.Plies = append(g.Plies, gamefile.Ply{Move: m, Score: score})
		score = score.Neg()
	}
	return g
}

// write makes a file of games.
func write(t *testing.T, path string, games ...*gamefile.Game) {
	t.Helper()
	w, err := gamefile.Open(path, `{"seed":7}`, func(*gamefile.Game) {})
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range games {
		if err := w.Append(g); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

const (
	rookEnding = "3k5/9/9/9/9/9/9/9/4R4/4K4 w - - 0 1"
	shuffle    = "A0A1 A9A8 A1A0 A8A9 "
)

// count runs the program in a folder of its own and returns all that it says.
func count(t *testing.T, folder string) (out, say string, err error) {
	t.Helper()
	var o, s strings.Builder
	err = run([]string{folder}, &o, &s)
	return strings.ReplaceAll(o.String(), folder+string(filepath.Separator), ""), strings.ReplaceAll(s.String(), folder+string(filepath.Separator), ""), err
}

func TestCount(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a[b]") // which is no pattern
	if err := os.Mkdir(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	mate := game(t, 2, rookEnding, "E1D1", 31999, engine.Result{Outcome: engine.FirstWins, Reason: "checkmate"})
	quiet := game(t, 0, "", strings.Repeat(shuffle, 4)+"H2E2 H9G7", 35, engine.Result{Outcome: engine.Draw, Reason: "score"})
	again := *quiet
	again.Number = 1
	write(t, filepath.Join(dir, "a.games"), mate, quiet)
	write(t, filepath.Join(dir, "b.games"), &again)
	out, say, err := count(t, dir)
	if err != nil || say != "" {
		t.Errorf("error %v, said %s", err, say)
	}
	want := strings.TrimLeft(`
a.games: 2 games, checksum 4642614d675a39ba, {"seed":7}
b.games: 1 games, checksum 38a4d4c2e6958159, {"seed":7}
games      3: red won 1, black 0, drawn 2
starts     1 games from other positions than the start
positions  37, 2 pass the filter (5.4 %)
duplicates 1 games, 1 positions that pass
checksum   7ee736104defbb13

results
           2   66.7 %  draw by score
           1   33.3 %  first wins by checkmate

plies, games
     0-19            3  100.0 %
    20-39            0    0.0 %
    40-59            0    0.0 %
    60-79            0    0.0 %
    80-99            0    0.0 %
  100-119            0    0.0 %
  120-139            0    0.0 %
  140-159            0    0.0 %
  160-179            0    0.0 %
  180-199            0    0.0 %
  200-249            0    0.0 %
  250-299            0    0.0 %
  300-399            0    0.0 %
  400-499            0    0.0 %
     500-            0    0.0 %

score, positions ahead and behind
          0            0    0.0 %            0    0.0 %
       1-25            0    0.0 %            0    0.0 %
      26-50           18   48.6 %           18   48.6 %
     51-100            0    0.0 %            0    0.0 %
    101-200            0    0.0 %            0    0.0 %
    201-400            0    0.0 %            0    0.0 %
    401-600            0    0.0 %            0    0.0 %
   601-1000            0    0.0 %            0    0.0 %
  1001-2000            0    0.0 %            0    0.0 %
  2001-9999            0    0.0 %            0    0.0 %
10000-19999            0    0.0 %            0    0.0 %
    by rule            0    0.0 %            0    0.0 %
       mate            1    2.7 %            0    0.0 %
`, "\n")
	if diff := cmp.Diff(want, out); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// What is wrong is told, and counted as faults but for an end that is cut off.
func TestFaults(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "7.games")
	drawn := engine.Result{Outcome: engine.Draw, Reason: "repetition"}
	write(t, path,
		game(t, 0, "", strings.Repeat(shuffle, 2), 0, drawn),
		game(t, 1, "", shuffle, 0, drawn),
		game(t, 1, "", "A0A1 A0A1", 0, drawn),
		game(t, 3, "x", "", 0, drawn),
		game(t, 4, "", shuffle, 0, drawn),
		game(t, 5, "", shuffle, 0, engine.Result{Outcome: engine.Draw, Reason: "length"}))
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	text[len(text)-30] ^= 1 // in game 4
	if err := os.WriteFile(path, append(text, 9, 9), 0o666); err != nil {
		t.Fatal(err)
	}
	_, say, err := count(t, dir)
	want := strings.TrimLeft(`
7.games: game 1: draw by repetition, by the rules ongoing
7.games: game 1: duplicate number
7.games: game 1, ply 2: A0-A1 is illegal
7.games: game 3: 1 rank instead of 10
7.games: byte 121: damaged: 26 bytes to the next whole block
7.games: byte 173: cut off: the last 2 bytes are not a whole block
`, "\n")
	if diff := cmp.Diff(want, say); diff != "" || err == nil || err.Error() != "5 faults" {
		t.Errorf("error %v (-want +got):\n%s", err, diff)
	}
}

func TestRefused(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "text")
	if err := os.WriteFile(name, []byte("text"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ arg, want, say string }{
		{dir, "no games: name files, or a folder that has some with the extension .games", ""},
		{name, "1 faults", name + ": not a file of games\n"},
		{"-x", "flag provided but not defined: -x", ""},
		{"-h", "flag: help requested", "usage: gamefile FILE|FOLDER...\n"},
	} {
		var say strings.Builder
		if err := run([]string{c.arg}, new(strings.Builder), &say); err == nil || err.Error() != c.want {
			t.Errorf("error %v, want %s", err, c.want)
		}
		if want := c.say; say.String() != want {
			t.Errorf("%s: said %q, want %q", c.arg, say.String(), want)
		}
	}
}

// A file that cannot be read does not keep the others from being counted.
func TestAllFiles(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"0.games": "", "1.games": "text", "2.games": "qhgames\x01\x00\x00\x00\x00\x00\x00"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write(t, filepath.Join(dir, "7.games"), game(t, 0, rookEnding, "E1D1", 0, engine.Result{Outcome: engine.FirstWins, Reason: "checkmate"}))
	out, say, err := count(t, dir)
	want := strings.TrimLeft(`
0.games: cut off
1.games: not a file of games
2.games: terms: damaged
`, "\n")
	if diff := cmp.Diff(want, say); diff != "" || err == nil || err.Error() != "2 faults" || !strings.HasPrefix(out, "7.games: 1 games") {
		t.Errorf("error %v, counted %s (-want +got):\n%s", err, out, diff)
	}
	for _, name := range []string{"1.games", "2.games"} {
		if err := os.Remove(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	if _, say, err = count(t, dir); err != nil || say != "0.games: cut off\n" {
		t.Errorf("error %v, said %s", err, say)
	}
}
