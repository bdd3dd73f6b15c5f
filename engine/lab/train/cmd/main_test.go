package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"qhsh/engine"
	"qhsh/engine/filelock"
	"qhsh/engine/lab/gamefile"
	"qhsh/engine/lab/train"
	"qhsh/engine/xiangqi"
	"qhsh/engine/xiangqi/net"
)

// writeGames fills a folder with random games whose scores are those of the evaluation.
func writeGames(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	w, err := gamefile.Open(filepath.Join(folder, "1"+gamefile.Extension), "random", func(*gamefile.Game) {})
	if err != nil {
		t.Fatal(err)
	}
	for number := range uint64(30) {
		if err := w.Append(randomGame(number)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return folder
}

func randomGame(number uint64) *gamefile.Game {
	r := rand.New(rand.NewPCG(1, number))
	g := &gamefile.Game{Number: number, Result: engine.Result{Outcome: engine.Draw, Reason: gamefile.ByLength}}
	b := xiangqi.Start().Board()
	for range 100 {
		legal := b.AppendMoves(nil)
		if len(legal) == 0 {
			break
		}
		m := legal[r.IntN(len(legal))]
		score := gamefile.NewScore(engine.Centipawns(net.Small().Evaluate(b)))
		g.Plies = append(g.Plies, gamefile.Ply{Move: m, Score: score})
		b.Do(m)
	}
	return g
}

// quick returns the command line of a training that takes a moment.
func quick(out, games string, more ...string) []string {
	args := []string{"-o", out, "-hidden", "64", "-batch", "250", "-samples", "5000", "-seed", "3", "-validate", "20"}
	return append(append(args, more...), games)
}

func read(t *testing.T, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// list returns the names of the files in a folder.
func list(t *testing.T, folder string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// The program prints what it does, and leaves the network and the drawing.
func TestRun(t *testing.T) {
	folder := t.TempDir()
	out := filepath.Join(folder, "a.net")
	var said bytes.Buffer
	if err := run(t.Context(), quick(out, writeGames(t)), &said); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"a.net", "a.net.svg"}, list(t, folder)); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
	lines := strings.Split(said.String(), "\n")
	for i, pattern := range []string{
		`^30 games, checksum [0-9a-f]{16}; \d+ positions to train on, \d+ held out$`,
		`^scale of scores [0-9.]+, 20 steps$`,
		`^  0\.00 million samples, +\d+ thousand a second: loss 0\.\d+, held out 0\.\d+, rate 0\.001$`,
	} {
		if !regexp.MustCompile(pattern).MatchString(lines[i]) {
			t.Errorf("line %d is %q, want %s", i+1, lines[i], pattern)
		}
	}
	w, err := net.Read(bytes.NewReader(read(t, out)))
	if err != nil {
		t.Fatal(err)
	}
	flags := "-hidden 64 -samples 5000 -batch 250 -seed 3 -lambda 0.4..0.8 -rate 0.001..1e-05 -ahead 0.6 -neighbours 1 -teacher " +
		net.Embedded().Checksum() + " -validate 20; 30 games, checksum "
	if w.Name != "a" || !strings.HasPrefix(w.Note, flags) {
		t.Errorf("name %q, note %q", w.Name, w.Note)
	}
	if drawing := read(t, out+".svg"); !bytes.HasPrefix(drawing, []byte("<svg ")) || bytes.Count(drawing, []byte("<polyline")) != 2 {
		t.Errorf("drawing:\n%s", drawing)
	}
}

// Neighbours are only added to the positions to train on.
func TestNeighbours(t *testing.T) {
	games, number := writeGames(t), regexp.MustCompile(`(\d+) positions to train on, (\d+) held out`)
	load := func(more ...string) (trained, held int) {
		t.Helper()
		s, err := parse(quick("a.net", games, more...), io.Discard)
		if err != nil {
			t.Fatal(err)
		}
		var said bytes.Buffer
		if _, err := s.load(t.Context(), &said); err != nil {
			t.Fatal(err)
		}
		if _, err := fmt.Sscan(strings.Join(number.FindStringSubmatch(said.String())[1:], " "), &trained, &held); err != nil {
			t.Fatal(err)
		}
		return trained, held
	}
	plain, heldOut := load("-neighbours", "0")
	with, heldOut2 := load("-neighbours", "3")
	if with < 3*plain || with > 4*plain || heldOut2 != heldOut {
		t.Errorf("%d positions, with 3 neighbours %d; held out %d and %d", plain, with, heldOut, heldOut2)
	}
}

// The loader tells of each game that it has read.
func TestProgress(t *testing.T) {
	file, calls := filepath.Join(writeGames(t), "1.games"), 0
	loader := train.Loader{Jobs: 2, Progress: func(name string, done, games int) {
		if calls++; name != file || done != calls || games != 30 {
			t.Errorf("call %d: %s, %d of %d", calls, name, done, games)
		}
	}}
	if _, err := loader.Load(t.Context(), []string{file}); err != nil || calls != 30 {
		t.Errorf("%d calls, error %v", calls, err)
	}
}

// cancelWriter cancels a context when the first losses are printed.
type cancelWriter struct{ stop context.CancelFunc }

func (w cancelWriter) Write(b []byte) (int, error) {
	if bytes.Contains(b, []byte("held out 0.")) {
		w.stop()
	}
	return len(b), nil
}

// A run that is interrupted, and resumed with another number of processors, writes the same network.
func TestResume(t *testing.T) {
	games, folder := writeGames(t), t.TempDir()
	whole, broken := filepath.Join(t.TempDir(), "a.net"), filepath.Join(folder, "a.net")
	if err := run(t.Context(), quick(whole, games, "-jobs", "1"), io.Discard); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	err := run(ctx, quick(broken, games, "-jobs", "2"), cancelWriter{stop})
	if !errors.Is(err, context.Canceled) || !strings.HasSuffix(fmt.Sprint(err), ": add -resume to continue") {
		t.Fatalf("interrupted: error %v", err)
	}
	if diff := cmp.Diff([]string{"a.net.checkpoint"}, list(t, folder)); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
	err = run(t.Context(), quick(broken, games), io.Discard)
	if want := broken + ".checkpoint exists: add -resume, or remove it"; err == nil || err.Error() != want {
		t.Errorf("without -resume: error %v, want %s", err, want)
	}
	if err := run(t.Context(), quick(broken, games, "-resume", "-jobs", "3"), io.Discard); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(read(t, broken), read(t, whole)) {
		t.Error("the network is another one")
	}
}

// An interruption before there is anything to keep says so, and a second training of the same network is
// refused while the first is under way.
func TestInterruptedAtOnce(t *testing.T) {
	games, folder := writeGames(t), t.TempDir()
	out := filepath.Join(folder, "a.net")
	other, err := filelock.Open(out + ".new")
	if err != nil {
		t.Fatal(err)
	}
	if err := run(t.Context(), quick(out, games), io.Discard); !errors.Is(err, filelock.ErrInUse) {
		t.Errorf("a second training: error %v", err)
	}
	if err := other.Close(); err != nil { // as if it had been killed: its file stays
		t.Fatal(err)
	}
	ctx, stop := context.WithCancelCause(t.Context())
	stop(errors.New("interrupt"))
	err = run(ctx, quick(out, games), io.Discard)
	if want := "interrupt while the games were read: give the same command again"; err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
	if names := list(t, folder); len(names) > 0 {
		t.Errorf("files %q are left", names)
	}
}

// A network begins where another one has ended, or learns from it, and says so.
func TestFrom(t *testing.T) {
	games, folder := writeGames(t), t.TempDir()
	trained := func(name string, more ...string) *net.Weights {
		t.Helper()
		out := filepath.Join(folder, name)
		if err := run(t.Context(), quick(out, games, more...), io.Discard); err != nil {
			t.Fatal(err)
		}
		w, err := net.ReadFile(out)
		if err != nil {
			t.Fatal(err)
		}
		return w
	}
	a := trained("a.net")
	b := trained("b.net", "-hidden", "0", "-from", filepath.Join(folder, "a.net"))
	if b.Hidden != a.Hidden {
		t.Errorf("hidden size %d, want that of -from, %d", b.Hidden, a.Hidden)
	}
	for _, flags := range []string{"-from", "-nodes 20 -teacher", "-teacher"} {
		b := trained("b.net", strings.Fields(flags+" "+filepath.Join(folder, "a.net"))...)
		if !strings.Contains(b.Note, " "+flags+" "+a.Checksum()+" ") || a.Checksum() == b.Checksum() {
			t.Errorf("%s %s: %s, note %q", flags, a.Checksum(), b.Checksum(), b.Note)
		}
	}
}

func TestMistakes(t *testing.T) {
	games := writeGames(t)
	for _, test := range []struct{ args, want string }{
		{"", "no file for the network: give -o FILE"},
		{"-o a.net", "no games: name files, or a folder that has some with the extension .games"},
		{"-o a.net -epochs 0 GAMES", "epochs=0: want at least 1"},
		{"-o a.net -jobs -1 GAMES", "jobs=-1: want at least 1, or 0 for all processors"},
		{"-o a.net -neighbours -1 GAMES", "neighbours=-1: want 0 to 100"},
		{"-o a.net -ahead 1 GAMES", "ahead=1: want a share, less than 1"},
		{"-o a.net -ahead NaN GAMES", "ahead=NaN: want a share, less than 1"},
		{"-o a.net -nodes -1 GAMES", "nodes=-1: want at least 1, or 0 for no search"},
		{"-o a.net -neighbours 0 -nodes 5 GAMES", "neighbours=0: want at least 1 for -nodes or -teacher, which score them"},
		{"-o a.net -neighbours 0 -teacher a.net GAMES", "neighbours=0: want at least 1 for -nodes or -teacher, which score them"},
		{"-o a.net -samples -5 GAMES", "-5 samples: want at least 1"},
		{"-o a.net -hiden 64 GAMES", "flag provided but not defined: -hiden; -h lists the flags"},
		{"-o a.net GAMES -hidden 64", "-hidden: flags go before the games"},
		{"-o GAMES/1.games GAMES", "-o GAMES/1.games: that is an input"},
		{"-o GAMES/1.games -from GAMES/1.games GAMES", "-o GAMES/1.games: that is an input"},
		{"-o a.net -validate 100 GAMES", "validate=100: want 0 to 99 percent"},
		{"-o a.net -lambda 0.3-0.6 GAMES", `invalid value "0.3-0.6" for flag -lambda: want one or two numbers, such as 0.3..0.6`},
		{"-o a.net -hidden 100 GAMES", "hidden size 100: want one of 64 128 256"},
		{"-o a.net -from NOWHERE GAMES", "-from: open NOWHERE: "},
		{"-o a.net -teacher NOWHERE GAMES", "-teacher: open NOWHERE: "},
		{"-o a.net -resume GAMES", "no checkpoint to resume: "},
		{"-o a.net -rate 5 GAMES", "learning rate 5 to 5: want more than 0, at most 1"},
		{"-o NOWHERE/a.net GAMES", "-o: open NOWHERE/a.net.new: "},
		{"-o GAMES GAMES", "-o GAMES: not a regular file"},
		{"-o a.net GAMES GAMES", "GAMES/1.games: named twice"},
	} {
		args := strings.Fields(strings.ReplaceAll(test.args, "GAMES", games))
		if err := run(t.Context(), args, io.Discard); err == nil || !strings.HasPrefix(strings.ReplaceAll(err.Error(), games, "GAMES"), test.want) {
			t.Errorf("%s: error %v, want %s", test.args, err, test.want)
		}
	}
}

func TestSpan(t *testing.T) {
	var s span
	for text, want := range map[string]span{"0.3..0.6": {0.3, 0.6}, "0.5": {0.5, 0.5}, "1e-3..1e-5": {1e-3, 1e-5}, "0..1": {0, 1}} {
		if err := s.Set(text); err != nil || s != want {
			t.Errorf("%s: %v, error %v", text, s, err)
		}
	}
	for _, text := range []string{"", "..", "1..", "..1", "1x", "1..2x", "1..2..3"} {
		if err := s.Set(text); err == nil {
			t.Errorf("%q: no error", text)
		}
	}
}
