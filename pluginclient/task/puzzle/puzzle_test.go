package puzzle

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"qhsh/engine"
	"qhsh/engine/enginetest"
	"qhsh/engine/enginetest/golden"
	"qhsh/engine/games"
	"qhsh/engine/xiangqi"
	"qhsh/pluginclient"
	"qhsh/pluginclient/attach"
	"qhsh/pluginclient/task/batch"
	"qhsh/pluginclient/task/batch/input"
	"qhsh/pluginclient/task/hints"
	"qhsh/pluginclient/task/output"
)

func TestMain(m *testing.M) { os.Exit(enginetest.Main(m)) }

// A run finds puzzles with the embedded engine at small levels, into a file.
type run struct {
	*testing.T
	Output
	path, input string
	options     Options
	jobs        int
	resume      bool
	stopAt      int // answers after which the run is interrupted; 0: it is not
}

// newRun returns a run for a text of positions or games.
func newRun(t *testing.T, text string) *run {
	return &run{
		T: t, input: text, jobs: 1, path: filepath.Join(t.TempDir(), "out.epd"),
		options: Options{Levels: engine.NodeLevels(), Scan: 3, Prove: 4, Thresholds: DefaultThresholds(), Scale: engine.DefaultScale},
		Output:  Output{ForcedWin: "mate", OnFailed: func(a batch.Answer) { t.Errorf("%s: %v", batch.Location(a.Item), a.Err) }},
	}
}

// do runs it, and returns what has been written.
func (r *run) do(spec string) string {
	r.Helper()
	ctx, interrupt := context.WithCancel(r.Context())
	defer interrupt()
	pool, err := batch.NewPool(ctx, batch.PoolOptions{
		Open: func(ctx context.Context) (pluginclient.Session, error) {
			return attach.Open(ctx, spec, attach.Options{Games: games.Default})
		},
		Jobs: r.jobs, Limits: engine.Limits{Level: r.options.Prove},
	})
	if err != nil {
		r.Fatal(err)
	}
	defer pool.Close()
	game := pool.First().Position().Game()
	formats := Formats()
	format, _ := formats.ByPath(r.path)
	h, err := hints.Open(ctx, hints.Options{
		Output: output.Options{Flag: "-o", Path: r.path}, Format: r.Format(format), Resume: r.resume,
		Warn: func(string) {}, Source: func() batch.Source {
			src, err := input.Open(game, strings.NewReader(r.input), input.Options{Name: "in", Records: games.Default.Records(game), Games: true})
			if err != nil {
				r.Fatal(err)
			}
			return src
		},
	})
	if err != nil {
		r.Fatal(err)
	}
	defer h.Close()
	manifest, err := h.NewManifest(context.Background(), game.Name(), "", false, hints.Engine{})
	if err != nil {
		r.Fatal(err)
	}
	switch finished, err := h.Begin(ctx, manifest); {
	case err != nil:
		r.Fatal(err)
	case finished != nil:
		return r.written()
	}
	tally, err := h.Do(ctx, &Composer{pool, r.options}, batch.Options{OnProgress: func(t batch.Tally) {
		if t.Done == r.stopAt {
			interrupt()
		}
	}})
	switch {
	case err == nil:
		err = h.Finish(hints.Summary{Positions: tally.Done})
	case r.stopAt > 0 && errors.Is(err, context.Canceled):
		err = nil
	}
	if err != nil {
		r.Fatal(err)
	}
	return r.written()
}

func (r *run) written() string {
	r.Helper()
	text, err := os.ReadFile(r.path)
	if err != nil {
		r.Fatal(err)
	}
	return string(text)
}

// positions are puzzles of every kind, and positions that are none.
const positions = `# two mates, of which the second position is the first with other counters
1r2ka3/4a4/4b4/p3Cn3/2N6/2P6/P8/4BA3/4A4/c3K4 w - - 0 1 id "mate";
1r2ka3/4a4/4b4/p3Cn3/2N6/2P6/P8/4BA3/4A4/c3K4 w - - 3 9 id "the same";
3k1ab2/4a4/8n/p2rp1N1p/3R5/4c4/P7P/4C3B/1nC1A4/1NB1KA3 b - - 0 1 id "mate, but many moves after the first";
# Black can only check for ever
3C5/3k5/9/9/9/9/9/1R2r4/4K4/7r1 w - - 0 1 id "perpetual check";
5k3/R8/7N1/r8/9/9/9/9/4K4/5r3 w - - 0 1 id "another one";
3nka1r1/1c1R5/4b4/p4r3/6bP1/5R3/P5p2/4B4/4A4/3AK1B2 w - - 0 9 id "material";
# none: equal, won by many moves, one legal move, over
startpos
3k5/9/9/9/9/9/9/R8/R8/4K4 w - - 0 1 id "many";
4k4/9/9/9/9/9/9/9/3rr4/4K4 w - - 0 1 id "forced";
3k5/3R5/9/9/9/9/9/9/9/R3K4 b - - 0 1 id "over";
`

// TestKinds compares the puzzles of every kind, and reads them again as positions.
func TestKinds(t *testing.T) {
	r := newRun(t, positions)
	got := r.do("builtin,hash=8,eval=small")
	golden.Compare(t, "testdata/kinds.epd", got)
	if r.Repeated != 1 {
		t.Errorf("%d repeated, want 1", r.Repeated)
	}
	for line := range strings.Lines(got) {
		item := batch.Parse(xiangqi.Rules, line)
		if item.Err != nil || len(item.BM) != 1 {
			t.Errorf("%s: read as %v with %v", line, item.Err, item.BM)
		}
	}
}

// TestCaptures: a single move that takes a piece is a puzzle only if that is asked for; one that mates by taking
// is one, and so is a quiet one.
func TestCaptures(t *testing.T) {
	const text = `rnbakabr1/9/1c4n2/p1p1p2Rp/6p2/9/P1P1P1P1P/1C2C1N2/9/RNBAKAB2 b - - 7 4
3a2br1/5k3/4ba3/5R3/p4P2p/9/2r1C3P/4B1pc1/6C2/c1BAKA3 w - - 2 4
3aka3/7C1/4b4/p5r1p/4p4/1N7/P3c1Rn1/4B4/4A4/2BAK4 w - - 2 8
3C5/3k5/9/9/9/9/9/1R2r4/4K4/7r1 w - - 0 1
`
	for _, c := range []struct {
		captures func(engine.Position, engine.Move) bool
		want     string
	}{
		{nil, "H9-H6 F6-F7 H8-H9 B2-E2"},
		{games.Default.Row(xiangqi.Rules).Captures, "F6-F7 H8-H9 B2-E2"},
	} {
		r := newRun(t, text)
		r.options.Captures, r.options.Scan, r.options.Prove = c.captures, 3, 5
		var found []string
		for line := range strings.Lines(r.do("builtin,hash=8,eval=small")) {
			found = append(found, batch.Parse(xiangqi.Rules, line).BM...)
		}
		if got := strings.Join(found, " "); got != c.want {
			t.Errorf("puzzles %s, want %s", got, c.want)
		}
	}
}

// TestForms: every format has every puzzle.
func TestForms(t *testing.T) {
	var all strings.Builder
	for _, f := range Formats() {
		r := newRun(t, positions)
		r.path = filepath.Join(t.TempDir(), "out"+f.Extensions[0])
		r.options.Min = 2
		fmt.Fprintf(&all, "%s\n%s\n", f.Name, r.do("builtin,hash=8,eval=small"))
	}
	golden.Compare(t, "testdata/formats.txt", all.String())
}

// game has a mate that was missed, and is found as the position before it.
const game = `[Event "A cup"]
[Red "Hu"]
[Black "Xu"]
[FEN "1r2ka3/4a4/4b4/p3C4/2N6/2P3n2/P8/4BA3/4A4/c3K4 b - - 0 1"]
[Result "*"]

1... G4-F6 2. E0-D0 B9-B0 *
`

// TestGame: the puzzle of a game says where it is from; a win that was there before the last move is
// no puzzle.
func TestGame(t *testing.T) {
	golden.Compare(t, "testdata/game.epd", newRun(t, game).do("builtin,hash=8,eval=small"))
}

// TestOtherGames: puzzles are made of every game that has them.
func TestOtherGames(t *testing.T) {
	var all strings.Builder
	for _, c := range []struct{ spec, text string }{
		{"checkers", "W:WK14:BK26\nB:WK11:BK24\n"},
		{"quoridor", "9 w F8/0 G4/0 B3h,C4h,F4h,D6h,F6h,E7h,C8h,B9h,F9h,H9h,A2v,G2v,E3v,H3v,B6v,G6v,A7v,H7v,B8v,D8v\n"},
		{"quoridor,size=5", "5 b B5/1 C1/0 A2h,D2h,C4h,C5h,A5v\n"},
	} {
		r := newRun(t, c.text)
		r.ForcedWin = "win"
		all.WriteString(c.spec + "\n" + r.do(c.spec))
	}
	golden.Compare(t, "testdata/othergames.txt", all.String())
}

// TestInterrupted: a run that was interrupted after any answer, and is resumed, and one with several
// engines, write the same as any other.
func TestInterrupted(t *testing.T) {
	text := positions
	want := newRun(t, text).do("builtin,hash=8,eval=small")
	for stopAt := 1; stopAt < 10; stopAt += 2 {
		r := newRun(t, text)
		r.jobs, r.stopAt = 3, stopAt
		r.do("builtin,hash=8,eval=small")
		r.Output = newRun(t, text).Output
		r.resume, r.stopAt = true, 0
		if diff := cmp.Diff(want, r.do("builtin,hash=8,eval=small")); diff != "" {
			t.Fatalf("interrupted after %d answers, -uninterrupted +resumed:\n%s", stopAt, diff)
		}
	}
}

// TestLimit: a run with enough puzzles is complete.
func TestLimit(t *testing.T) {
	whole := newRun(t, positions).do("builtin,hash=8,eval=small")
	r := newRun(t, positions)
	r.Limit, r.jobs = 2, 3
	first := strings.SplitAfterN(whole, "\n", 3)
	if diff := cmp.Diff(first[0]+first[1], r.do("builtin,hash=8,eval=small")); diff != "" {
		t.Error(diff)
	}
}

// TestThresholds parses what String formats, and nothing else.
func TestThresholds(t *testing.T) {
	for text, want := range map[string]string{
		"80,55": "80,55", " 90 , 60.5": "90,60.5", "100,0": "100,0",
		"": "error", "80": "error", "55,80": "error", "80,80": "error", "101,5": "error", "80,-1": "error", "NaN,5": "error", "a,b": "error",
	} {
		got := "error"
		if v, err := ParseThresholds(text); err == nil {
			got = v.String()
		}
		if got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}
