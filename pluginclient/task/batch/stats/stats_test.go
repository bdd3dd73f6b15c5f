package stats

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"qhsh/engine"
	"qhsh/engine/xiangqi"
	"qhsh/pluginclient/task/batch"
	"qhsh/pluginclient/task/batch/store"
)

// answer returns an answer about a line, with the scores of its moves.
func answer(n int, line string, hints ...batch.Hint) batch.Answer {
	a := batch.Answer{Item: batch.Parse(xiangqi.Rules, line), Hints: hints}
	a.Line, a.Err = n, a.Item.Err
	if a.Err == nil {
		a.Engine, a.Spec, a.Limits = "qhsh", "builtin", batch.Limits{Level: 5, HasLevel: true}
	}
	return a
}

func hint(move string, score engine.Score, depth int, nodes int64) batch.Hint {
	return batch.Hint{Move: move, Score: score, Depth: depth, Nodes: nodes, PV: []string{move}}
}

// first and second are the answers of two runs over the same file.
func first() []batch.Answer {
	over := answer(7, "3k5/9/9/9/9/9/9/9/r8/r3K4 w")
	over.Over = "checkmate"
	failed := answer(8, "startpos moves b2e2")
	failed.Err = errors.New("folium: HINTS: died")
	return []batch.Answer{
		answer(1, `startpos bm h2e2; id "炮二平五";`, hint("H2-E2", engine.Centipawns(35), 6, 1000)),
		answer(2, "startpos moves h2e2", hint("H9-G7", engine.Centipawns(-20), 8, 3000)),
		answer(3, "startpos moves h2e2 h9g7; bm nonsense;"),
		answer(4, "startpos am a0a1;", hint("A0-A1", engine.MateIn(-4), 7, 0)),
		answer(5, "nonsense"),
		answer(6, "startpos moves c3c4", hint("H9-G7", engine.Centipawns(1500), 8, 2000)),
		over,
		failed,
		answer(9, "startpos moves g3g4", hint("B9-C7", engine.Score{}, 0, 0)),
	}
}

func second() []batch.Answer {
	all := first()
	all[0].Hints = []batch.Hint{hint("B2-E2", engine.Centipawns(42), 9, 9000)}
	all[1].Hints = []batch.Hint{hint("H9-G7", engine.Centipawns(130), 9, 9000)}
	all[5].Hints[0].Score = engine.MateIn(3)
	all[6].Over = "stalemate"
	all[7].Err = nil
	all[7].Hints = []batch.Hint{hint("H7-E7", engine.Centipawns(3), 9, 9000)}
	all[8] = answer(10, "startpos moves i0i1", hint("B9-C7", engine.Centipawns(0), 1, 1))
	return all
}

// write writes answers in the format of a name's extension, and returns the path.
func write(t *testing.T, dir, name string, answers []batch.Answer) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if filepath.Ext(name) == ".db" {
		db, err := store.Create(path, store.Run{Spec: "builtin", Hints: 2})
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range answers {
			if err := db.Write(a); err != nil {
				t.Fatal(err)
			}
		}
		if err := db.Finish(); err != nil {
			t.Fatal(err)
		}
		return path
	}
	bare, compressed := strings.CutSuffix(name, ".gz")
	format, ok := batch.Formats(2).ByPath(bare)
	if !ok {
		t.Fatal(name)
	}
	var text bytes.Buffer
	sink := format.Write(&text)
	for _, a := range answers {
		if err := sink.Write(a); err != nil {
			t.Fatal(err)
		}
	}
	if err := batch.FinishSink(sink); err != nil {
		t.Fatal(err)
	}
	data := text.Bytes()
	if compressed {
		var z bytes.Buffer
		w := gzip.NewWriter(&z)
		_, _ = w.Write(data)
		_ = w.Close()
		data = z.Bytes()
	}
	if err := os.WriteFile(path, data, 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

func noWarning(t *testing.T) func(error) {
	return func(err error) { t.Errorf("warning: %v", err) }
}

var forms = []string{"a.jsonl", "a.csv", "a.epd", "a.db", "a.parquet", "a.jsonl.gz"}

// TestSum: all formats give the same summary, except for what EPD cannot hold.
func TestSum(t *testing.T) {
	const want = `FILE
  9 positions, 2 errors, 1 finished game
  solved 1 of 2 (50.0%)
  not scored: 1 position with a bm, am or c0 that cannot be read, first line 3: bm: move "nonsense": want two points such as H2-E2
  7 answers by qhsh, level 5, spec builtin
  depth  6 to 8, mean 7.2, median 7
  nodes  1000 to 3000, mean 2000, total 6000
  time   2.5 s, 3.6 positions a second
  score of the best hint, for the side to move
    is mated         1  ####################
    below -10.00     0
    -10.00 to -5.00  0
    -5.00 to -2.00   0
    -2.00 to -1.00   0
    -1.00 to -0.50   0
    -0.50 to +0.50   2  ########################################
    +0.50 to +1.00   0
    +1.00 to +2.00   0
    +2.00 to +5.00   0
    +5.00 to +10.00  0
    from +10.00      1  ####################
`
	for _, name := range forms {
		answers := first()
		answers[2].Hints = []batch.Hint{hint("H0-G2", engine.Score{}, 0, 0)}
		path := write(t, t.TempDir(), name, answers)
		s, err := Summarize("FILE", ReadAnswers(t.Context(), path, nil), Options{Game: xiangqi.Rules}, noWarning(t))
		if err != nil {
			t.Fatal(err)
		}
		s.Run = &RunSummary{Seconds: 2.5, Rate: 3.6}
		var got strings.Builder
		s.Report(&got)
		want := want
		if name == "a.epd" {
			_, after, _ := strings.Cut(want, "  7 answers by qhsh, level 5, spec builtin\n")
			want, _, _ = strings.Cut(want, "  not scored")
			want += after
		}
		if diff := cmp.Diff(want, got.String()); diff != "" {
			t.Errorf("%s:\n%s", name, diff)
		}
	}
}

func TestCompare(t *testing.T) {
	const want = `
8 positions in both files, 1 only in the first, 1 only in the second
  same best move in 4 of 5 (80.0%)
    score in the first  same move
    is mated            1 of 1     100.0%
    -0.50 to +0.50      1 of 2     50.0%
    from +10.00         1 of 1     100.0%
    mates               1 of 1     100.0%
  scores of the second are +0.79 on average; apart by 0.79 on average, 1.50 at most
  correlation of the scores as chances of winning (Pearson): 1.00
  solved by both 0, only by the first 1, only by the second 0, by neither 1

5 differences, of which the first 4 (-max N lists more)
  place   id        first      score   second     score   position
  line 1  炮二平五  H2-E2      +0.35   B2-E2      +0.42   rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1
  line 2            H9-G7      -0.20   H9-G7      +1.30   rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1 moves H2-E2
  line 6            H9-G7      +15.00  H9-G7      mate 3  rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1 moves C3-C4
  line 7            checkmate          stalemate          3k5/9/9/9/9/9/9/9/r8/r3K4 w
`
	dir := t.TempDir()
	answers := [2][]batch.Answer{first(), second()}
	for i := range answers {
		answers[i] = append(answers[i][:2:2], answers[i][3:]...)
		answers[i] = append(answers[i], answer(11, "startpos moves b0c2 b9c7", hint("A0-A1", engine.MateIn(2), 3, 3)))
	}
	// one of them in another order
	answers[1][0], answers[1][5] = answers[1][5], answers[1][0]
	for _, names := range [][2]string{{"a.jsonl", "b.csv"}, {"a.db", "b.jsonl"}, {"a.csv", "b.db"}, {"a.jsonl", "b.epd"}} {
		var files []string
		for i, name := range names {
			files = append(files, write(t, dir, name, answers[i]))
		}
		c := compare(t, Options{Game: xiangqi.Rules, Max: 4, Gap: 150}, files...).Comparison()
		sortListed(c.Listed)
		var got strings.Builder
		c.report(&got)
		c.table(&got)
		if diff := cmp.Diff(want, got.String()); diff != "" {
			t.Errorf("%v:\n%s", names, diff)
		}
		var whole strings.Builder
		if c.Report(&whole); !strings.HasSuffix(whole.String(), want) || strings.Count(whole.String(), "positions, ") != 2 {
			t.Error(whole.String())
		}
	}
}

// compare compares files.
func compare(t *testing.T, o Options, files ...string) *Matrix {
	t.Helper()
	var answers []iter.Seq2[batch.Answer, error]
	for _, file := range files {
		answers = append(answers, ReadAnswers(t.Context(), file, nil))
	}
	m, err := Compare(files, answers, o, noWarning(t))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestMatrix compares several files in pairs, with the same result as for two files.
func TestMatrix(t *testing.T) {
	dir := t.TempDir()
	third := first()[:2]
	third[0].Hints = []batch.Hint{hint("B2-E2", engine.Centipawns(-300), 1, 1)}
	var files []string
	for name, answers := range map[string][]batch.Answer{"1.jsonl": first(), "2.csv": second(), "3.db": third} {
		files = append(files, write(t, dir, name, answers))
	}
	slices.Sort(files)
	var told []string
	o := Options{Game: xiangqi.Rules, Gap: 100, Each: func(d Difference) error {
		told = append(told, fmt.Sprintf("%s %s: %s, %s", filepath.Base(d.Files[0])+filepath.Base(d.Files[1]), d.Place, d.First.text(), d.Second.text()))
		return nil
	}}
	m := compare(t, o, files...)
	for i, pair := range [][2]int{{0, 1}, {0, 2}, {1, 2}} {
		alone := compare(t, o, files[pair[0]], files[pair[1]]).Comparison()
		if diff := cmp.Diff(alone.Agreement, m.Pairs[i].Agreement, cmp.AllowUnexported(Bin{})); diff != "" {
			t.Errorf("%v: %s", pair, diff)
		}
	}
	want := []string{
		"1.jsonl2.csv line 1: H2-E2, B2-E2", "1.jsonl3.db line 1: H2-E2, B2-E2", "2.csv3.db line 1: B2-E2, B2-E2",
		"1.jsonl2.csv line 2: H9-G7, H9-G7", "2.csv3.db line 2: H9-G7, H9-G7", "1.jsonl2.csv line 6: H9-G7, H9-G7",
		"1.jsonl2.csv line 7: checkmate, stalemate", "1.jsonl2.csv line 8: error, H7-E7",
	}
	if diff := cmp.Diff(want, told[:len(want)]); diff != "" || len(told) != 2*len(want) {
		t.Errorf("%s", diff)
	}
	for i := range m.Files {
		m.Files[i].File = filepath.Base(m.Files[i].File)
	}
	var text strings.Builder
	m.Report(&text)
	_, tables, _ := strings.Cut(text.String(), "\n  1  ")
	if diff := cmp.Diff(matrixText, "  1  "+tables); diff != "" {
		t.Error(diff)
	}
}

const matrixText = `  1  1.jsonl
  2  2.csv
  3  3.db

same best move
     1      2       3
  1  -      75.0%   50.0%
  2  75.0%  -       100.0%
  3  50.0%  100.0%  -

correlation of the scores as chances of winning (Pearson)
     1     2     3
  1  -     0.99
  2  0.99  -
  3              -

scores apart, on average
     1     2     3
  1  -     0.79  1.68
  2  0.79  -     2.46
  3  1.68  2.46  -

same best move, by the score in the first file of the two
                  1 and 2  1 and 3  2 and 3
  is mated        1 of 1
  -0.50 to +0.50  1 of 2   1 of 2   1 of 1
  +1.00 to +2.00                    1 of 1
  from +10.00     1 of 1

positions (-format jsonl lists the differences)
  files    in both  only in the first  only in the second  differences
  1 and 2  8        1                  1                   5
  1 and 3  2        7                  0                   1
  2 and 3  2        7                  0                   2
`

// TestCorrelation compares the result with the definition.
func TestCorrelation(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		draw := func(name string) []int {
			return rapid.SliceOfN(rapid.IntRange(-2000, 2000), 20, 20).Draw(t, name)
		}
		a, b := draw("a"), draw("b")
		var c correlator
		var x, y []float64
		for i := range a {
			s, u := engine.Centipawns(a[i]), engine.Centipawns(b[i])
			c.add(s, u)
			c.add(s, engine.Score{})
			p, _ := s.Chance(engine.DefaultScale)
			q, _ := u.Chance(engine.DefaultScale)
			x, y = append(x, p), append(y, q)
		}
		covariance := func(x, y []float64) (sum float64) {
			for i := range x {
				sum += (x[i] - mean(x)) * (y[i] - mean(y))
			}
			return sum
		}
		of := math.Sqrt(covariance(x, x) * covariance(y, y))
		got := c.correlation()
		switch {
		case of < 1e-12:
		case got == nil || got.Pairs != 20 || math.Abs(got.Pearson-covariance(x, y)/of) > 1e-4:
			t.Fatalf("%v, want %v", got, covariance(x, y)/of)
		}
	})
}

func mean(x []float64) (sum float64) {
	for _, v := range x {
		sum += v
	}
	return sum / float64(len(x))
}

// sortListed sorts what was listed out of order.
func sortListed(pairs []Pair) {
	for i := range pairs {
		for j := i; j > 0 && pairs[j].Place < pairs[j-1].Place; j-- {
			pairs[j], pairs[j-1] = pairs[j-1], pairs[j]
		}
	}
}

// TestCompareWithItself finds no difference.
func TestCompareWithItself(t *testing.T) {
	path := write(t, t.TempDir(), "a.jsonl", first())
	c := compare(t, Options{Game: xiangqi.Rules, Gap: 1}, path, path).Comparison()
	if c.Differences != 0 || c.Both != 9 || c.OnlyFirst+c.OnlySecond != 0 || c.Chances.Pearson != 1 {
		t.Errorf("%+v", c)
	}
	text, err := json.Marshal(c)
	if err != nil || !strings.Contains(string(text), `"both":9,"only_first":0,"only_second":0,"same_move":5,"other_move":0,`) {
		t.Errorf("%s, %v", text, err)
	}
}

// TestNothingWaits: no answer is kept of files in the same order.
func TestNothingWaits(t *testing.T) {
	x := newComparer("a", "b", &Options{Game: xiangqi.Rules})
	for range 3 {
		for _, a := range first() {
			key := x.normalise(&a)
			for side := range 2 {
				if err := x.add(side, key, a); err != nil {
					t.Fatal(err)
				}
			}
			if n := len(x.waiting[0]) + len(x.waiting[1]); n > 0 {
				t.Fatalf("%d positions are kept", n)
			}
		}
	}
}

func TestUnreadable(t *testing.T) {
	const good = `{"line":1,"fen":"startpos","hints":[]}` + "\n"
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	path := file("x.jsonl", good+"{\n\n"+good+"# no\n")
	var warnings []string
	s, err := Summarize("x", ReadAnswers(t.Context(), path, nil), Options{Game: xiangqi.Rules}, func(err error) { warnings = append(warnings, err.Error()) })
	want := []string{
		path + ": line 2: not an answer of 'qhsh hints': unexpected end of JSON input",
		path + ": line 5: not an answer of 'qhsh hints': invalid character '#' looking for beginning of value",
	}
	if diff := cmp.Diff(want, warnings); diff != "" || s.Positions != 2 || s.Unreadable != 2 || err != nil {
		t.Errorf("%d and %d, %v\n%s", s.Positions, s.Unreadable, err, diff)
	}
	for name, text := range map[string]string{
		"x": "startpos\n", "x.txt": "engine qhsh, level 5\n\nline 1  x\n", "x.csv": "fen,id\nstartpos,1\n", "y.csv": "a\n",
		"y.jsonl": "{\"fen\":\"startpos\"}\n", "z.epd": "3k5/9/9/9/9/9/9/9/r8/r3K4 w - - bm a0a1;\n",
	} {
		if _, err := Summarize(name, ReadAnswers(t.Context(), file(name, text), nil), Options{Game: xiangqi.Rules}, noWarning(t)); !errors.Is(err, errUnknownFormat) {
			t.Errorf("%q: %v", text, err)
		}
	}
	if s, err := Summarize("x", ReadAnswers(t.Context(), file("empty", ""), nil), Options{Game: xiangqi.Rules}, noWarning(t)); err != nil || s.Positions != 0 {
		t.Errorf("an empty file: %+v, %v", s, err)
	}
	if _, err := Summarize("x", ReadAnswers(t.Context(), filepath.Join(dir, "none"), nil), Options{Game: xiangqi.Rules}, noWarning(t)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a missing file: %v", err)
	}
	if s, err := Summarize("-", ReadAnswers(t.Context(), "-", strings.NewReader(good)), Options{Game: xiangqi.Rules}, noWarning(t)); err != nil || s.Positions != 1 {
		t.Errorf("standard input: %+v, %v", s, err)
	}
}

func TestEdges(t *testing.T) {
	for cp, want := range map[int]binIndex{-1001: 0, -1000: 1, -51: 4, -50: 5, 0: 5, 49: 5, 50: 6, 999: 9, 1000: 10} {
		if got := binOf(engine.Centipawns(cp)); got != want {
			t.Errorf("%d is in bin %d, want %d", cp, got, want)
		}
	}
	if binOf(engine.MateIn(0)) != lost || binOf(engine.MateIn(1)) != won || binOf(engine.Score{}) != unknown {
		t.Error("a mate is in the wrong bin")
	}
	if bins := binsOf(map[binIndex]int{unknown: 3}); bins != nil {
		t.Errorf("unknown scores have bins: %v", bins)
	}
}

func TestMedian(t *testing.T) {
	for want, times := range map[int64]map[int]int{1: {1: 1}, 2: {1: 1, 2: 3}, 3: {3: 2, 9: 2}, 5: {4: 1, 5: 1, 6: 1}} {
		n := 0
		for _, count := range times {
			n += count
		}
		if got := median(times, n); got == nil || *got != want {
			t.Errorf("%v: %v", times, got)
		}
	}
}
