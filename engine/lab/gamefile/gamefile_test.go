package gamefile_test

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"qhsh/engine"
	"qhsh/engine/lab/gamefile"
	"qhsh/engine/xiangqi"
)

// moves reads moves in ICCS.
func moves(t testing.TB, text string) (list []xiangqi.Move) {
	t.Helper()
	for _, word := range strings.Fields(text) {
		m, err := xiangqi.ParseMove(word)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, m)
	}
	return list
}

// scored returns moves with scores.
func scored(moves []xiangqi.Move, scores ...gamefile.Score) (list []gamefile.Ply) {
	for i, m := range moves {
		list = append(list, gamefile.Ply{Move: m, Score: scores[i]})
	}
	return list
}

// three returns games of every kind of content.
func three(t testing.TB) []*gamefile.Game {
	return []*gamefile.Game{
		{
			Number: 300, Opening: moves(t, "H2E2 H9G7"), Plies: scored(moves(t, "H0G2 I9H9"), 35, -20),
			Result: engine.Result{Outcome: engine.Draw, Reason: "repetition"},
		},
		{
			Number: 1, FEN: "3k5/9/9/9/9/9/9/9/4R4/4K4 w - - 0 1", Opening: []xiangqi.Move{}, Plies: scored(moves(t, "E1D1"), 31999),
			Result: engine.Result{Outcome: engine.FirstWins, Reason: "checkmate"},
		},
		{Number: 0, Opening: []xiangqi.Move{}, Plies: []gamefile.Ply{}, Result: engine.Result{Outcome: engine.SecondWins, Reason: "score"}},
	}
}

const terms = `{"seed":7}`

// write makes a file of games and returns its path.
func write(t testing.TB, games ...*gamefile.Game) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "7.games")
	appendTo(t, path, games...)
	return path
}

func appendTo(t testing.TB, path string, games ...*gamefile.Game) (old []*gamefile.Game) {
	t.Helper()
	w, err := gamefile.Open(path, terms, func(g *gamefile.Game) { old = append(old, g) })
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
	return old
}

// contents returns the bytes of a file.
func contents(t testing.TB, path string) []byte {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// read reads a file that has a head.
func read(t testing.TB, file []byte) (games []*gamefile.Game, errs []error) {
	t.Helper()
	r, err := gamefile.NewReader(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	if r.Terms() != terms {
		t.Errorf("terms %s", r.Terms())
	}
	return collect(r.Games())
}

func collect(seq iter.Seq2[*gamefile.Game, error]) (games []*gamefile.Game, errs []error) {
	games = []*gamefile.Game{}
	for g, err := range seq {
		if err != nil {
			errs = append(errs, err)
		} else {
			games = append(games, g)
		}
	}
	return games, errs
}

// A file of version 1 has these bytes for ever.
func TestFormat(t *testing.T) {
	var want bytes.Buffer
	for _, part := range []string{
		hex.EncodeToString([]byte("qhgames")) + "01",
		"0a00" + "69bc2bd2" + hex.EncodeToString([]byte(terms)),
		"1100" + "c4a0fa9e" + "ac02" + "0f" + "00" + "02" + "960c" + "452c" + "9803" + "2300" + "d82c" + "ecff",
		"2b00" + "b504c4db" + "01" + "05" + "23" + hex.EncodeToString([]byte(three(t)[1].FEN)) + "00" + "8c06" + "ff7c",
		"0400" + "743b88a5" + "00" + "36" + "00" + "00",
	} {
		b, err := hex.DecodeString(part)
		if err != nil {
			t.Fatal(err)
		}
		want.Write(b)
	}
	if diff := cmp.Diff(hex.Dump(want.Bytes()), hex.Dump(contents(t, write(t, three(t)...)))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// What is written is read.
func TestRoundTrip(t *testing.T) {
	want := three(t)
	path := write(t, want...)
	got, errs := read(t, contents(t, path))
	if diff := cmp.Diff(want, got); diff != "" || errs != nil {
		t.Errorf("%v (-written +read):\n%s", errs, diff)
	}
	rapid.Check(t, func(t *rapid.T) {
		file := filepath.Join(filepath.Dir(path), "random.games")
		defer os.Remove(file)
		want := rapid.SliceOfN(rapid.Custom(anyGame), 0, 5).Draw(t, "games")
		w, err := gamefile.Open(file, terms, func(*gamefile.Game) {})
		if err != nil {
			t.Fatal(err)
		}
		for _, g := range want {
			if err := w.Append(g); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		r, err := gamefile.NewReader(bytes.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		got, errs := collect(r.Games())
		if diff := cmp.Diff(want, got); diff != "" || errs != nil {
			t.Fatalf("%v (-written +read):\n%s", errs, diff)
		}
	})
}

func anyGame(t *rapid.T) *gamefile.Game {
	move := rapid.Custom(func(t *rapid.T) xiangqi.Move { return xiangqi.Move(rapid.Uint16().Draw(t, "move")) })
	ply := rapid.Custom(func(t *rapid.T) gamefile.Ply {
		return gamefile.Ply{Move: move.Draw(t, "move"), Score: gamefile.Score(rapid.Int16().Draw(t, "score"))}
	})
	return &gamefile.Game{
		Number: rapid.Uint64().Draw(t, "number"), FEN: rapid.String().Draw(t, "fen"),
		Opening: rapid.SliceOfN(move, 0, 12).Draw(t, "opening"), Plies: rapid.SliceOfN(ply, 0, 300).Draw(t, "plies"),
		Result: engine.Result{
			Outcome: engine.Outcome(rapid.IntRange(0, 3).Draw(t, "outcome")),
			Reason:  rapid.SampledFrom([]string{"", "checkmate", "lack of attackers", gamefile.ByLength}).Draw(t, "reason"),
		},
	}
}

// A truncated file has the games before the end, and is resumed after them.
func TestCut(t *testing.T) {
	games := three(t)
	path := write(t, games...)
	whole := contents(t, path)
	head := len(contents(t, write(t)))
	for n := range whole {
		if err := os.WriteFile(path, whole[:n], 0o666); err != nil {
			t.Fatal(err)
		}
		var got []*gamefile.Game
		if n < head {
			if _, err := gamefile.NewReader(bytes.NewReader(whole[:n])); !errors.Is(err, gamefile.ErrTruncated) {
				t.Errorf("%d bytes: error %v", n, err)
			}
		} else {
			var errs []error
			got, errs = read(t, whole[:n])
			if diff := cmp.Diff(games[:len(got)], got); diff != "" || len(errs) > 1 || len(errs) == 1 && !errors.Is(errs[0], gamefile.ErrTruncated) {
				t.Errorf("%d bytes: errors %v\n%s", n, errs, diff)
			}
		}
		if old := appendTo(t, path, games[len(got):]...); len(old) != len(got) {
			t.Errorf("%d bytes: resumed with %d games, and there are %d", n, len(old), len(got))
		}
		if !bytes.Equal(contents(t, path), whole) {
			t.Errorf("%d bytes: resumed to another file", n)
		}
	}
}

// Damage costs the game that it is in and is told once. The file is resumed.
func TestDamaged(t *testing.T) {
	games := three(t)
	path := write(t, games...)
	whole := contents(t, path)
	first := len(contents(t, write(t, games[0])))
	second := len(contents(t, write(t, games[:2]...)))
	for at := first; at < second; at++ {
		file := slices.Clone(whole)
		file[at] ^= 0x55
		got, errs := read(t, file)
		want := []*gamefile.Game{games[0], games[2]}
		text := fmt.Sprintf("byte %d: damaged: %d bytes to the next whole block", first, second-first)
		if diff := cmp.Diff(want, got); diff != "" || len(errs) != 1 || errs[0].Error() != text {
			t.Errorf("byte %d: errors %v\n%s", at, errs, diff)
		}
	}
	whole[first+10] ^= 1
	if err := os.WriteFile(path, append(whole, 1, 2, 3), 0o666); err != nil {
		t.Fatal(err)
	}
	if old := appendTo(t, path, games[1]); len(old) != 2 {
		t.Errorf("resumed with %d games", len(old))
	}
	got, errs := read(t, contents(t, path))
	want := []*gamefile.Game{games[0], games[2], games[1]}
	if diff := cmp.Diff(want, got); diff != "" || len(errs) != 1 || !errors.Is(errs[0], gamefile.ErrDamaged) {
		t.Errorf("resumed: errors %v\n%s", errs, diff)
	}
}

// A tail that no killed process can have left is damage: it is told, and stays when the file
// is resumed.
func TestDamagedEnd(t *testing.T) {
	games := three(t)
	whole := contents(t, write(t, games...))
	last := len(contents(t, write(t, games[:2]...)))
	flip := func(at int) []byte {
		file := slices.Clone(whole)
		file[at] ^= 1
		return file
	}
	dice := rand.NewChaCha8([32]byte{})
	noise := make([]byte, 1<<20)
	_, _ = dice.Read(noise) // it never fails
	noise[1] |= 0x80
	for name, c := range map[string]struct {
		file []byte
		left int // games
	}{
		"a bit of the last block":            {flip(len(whole) - 1), 2},
		"a bit of its length":                {flip(last), 2},
		"a high bit of its length":           {flip(last + 1), 2},
		"a bit of its checksum":              {flip(last + 2), 2},
		"zeros":                              {append(slices.Clone(whole), make([]byte, 200_000)...), 3},
		"a few zeros":                        {append(slices.Clone(whole), make([]byte, 10)...), 3},
		"a bit of the last block, and zeros": {append(flip(len(whole)-1), make([]byte, 300_000)...), 2},
		"noise":                              {append(slices.Clone(whole), noise...), 3},
	} {
		from := []int{2: last, 3: len(whole)}[c.left]
		got, errs := read(t, c.file)
		text := fmt.Sprintf("byte %d: damaged: the last %d bytes are not a whole block", from, len(c.file)-from)
		if diff := cmp.Diff(games[:c.left], got); diff != "" || len(errs) != 1 || !errors.Is(errs[0], gamefile.ErrDamaged) || errs[0].Error() != text {
			t.Errorf("%s: errors %v, want %s\n%s", name, errs, text, diff)
		}
		path := filepath.Join(t.TempDir(), "7.games")
		if err := os.WriteFile(path, c.file, 0o666); err != nil {
			t.Fatal(err)
		}
		if old := appendTo(t, path, games[2]); len(old) != c.left {
			t.Errorf("%s: resumed with %d games", name, len(old))
		}
		resumed := contents(t, path)
		if !bytes.HasPrefix(resumed, c.file) {
			t.Errorf("%s: it was cut off", name)
		}
		got, errs = read(t, resumed)
		want := append(slices.Clone(games[:c.left]), games[2])
		if diff := cmp.Diff(want, got); diff != "" || len(errs) != 1 || !errors.Is(errs[0], gamefile.ErrDamaged) {
			t.Errorf("%s: resumed: errors %v\n%s", name, errs, diff)
		}
	}
}

// The package comment gives all reasons their numbers.
func TestReasonsDocumented(t *testing.T) {
	comment := string(contents(t, "gamefile.go"))
	for i, reason := range gamefile.Reasons[1:] {
		if line := fmt.Sprintf("\n//\t%2d %s", i+1, reason); !strings.Contains(comment, line) {
			t.Errorf("not in the package comment: %s", line)
		}
	}
}

// A file that cannot be appended to is unchanged.
func TestOpenErrors(t *testing.T) {
	good := contents(t, write(t, three(t)...))
	edit := func(at int, b byte) []byte {
		file := slices.Clone(good)
		file[at] = b
		return file
	}
	for _, c := range []struct {
		file        []byte
		terms, want string
	}{
		{good, `{"seed":8}`, `the file has other terms, {"seed":7}, not {"seed":8}: use another seed or folder`},
		{edit(0, 'Q'), terms, "not a file of games"},
		{edit(7, 2), terms, "format version 2: this program reads version 1"},
		{edit(16, '!'), terms, "terms: damaged"},
		{edit(9, 100), terms, "terms: damaged"},
		{[]byte("GIF89a"), terms, "not a file of games"},
	} {
		path := filepath.Join(t.TempDir(), "x.games")
		if err := os.WriteFile(path, c.file, 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := gamefile.Open(path, c.terms, func(*gamefile.Game) {}); err == nil || err.Error() != path+": "+c.want {
			t.Errorf("error %v, want %s", err, c.want)
		}
		if !bytes.Equal(contents(t, path), c.file) {
			t.Errorf("%s: the file has changed", c.want)
		}
	}
}

// Each score has 16 bits, and keeps its order.
func TestScore(t *testing.T) {
	for _, c := range []struct {
		score engine.Score
		want  gamefile.Score
	}{
		{engine.Score{}, -32768},
		{engine.MateIn(0), -32000},
		{engine.MateIn(-3), -31997},
		{engine.Centipawns(-20000), -20000},
		{engine.Centipawns(0), 0},
		{engine.Centipawns(35), 35},
		{engine.Centipawns(20000), 20000},
		{engine.MateIn(64), 31936},
		{engine.MateIn(1), 31999},
		{engine.MateIn(0).Neg(), 32000},
	} {
		if got := gamefile.NewScore(c.score); got != c.want || got.Score() != c.score {
			t.Errorf("%v: %d, and back %v; want %d", c.score, got, got.Score(), c.want)
		}
		if got, want := c.want.Neg(), gamefile.NewScore(c.score.Neg()); got != want {
			t.Errorf("%v: negated %d, want %d", c.score, got, want)
		}
	}
	if got := gamefile.NewScore(engine.Centipawns(99999)); got != 20000 {
		t.Errorf("999.99 pawns: %d", got)
	}
	if got := gamefile.NewScore(engine.MateIn(-99999)); got != -20001 {
		t.Errorf("mated in 99,999: %d", got)
	}
}

// Positions are those that the moves were played in, up to an illegal one.
func TestPositions(t *testing.T) {
	g := three(t)[0]
	g.Plies = append(g.Plies, gamefile.Ply{Move: g.Opening[0]})
	var got []string
	for p, err := range g.Positions() {
		if err != nil {
			got = append(got, err.Error())
			break
		}
		got = append(got, fmt.Sprint(p.Move, p.Score, p.Side(), p.Ply(), p.Legal(p.Move)))
	}
	if diff := cmp.Diff([]string{"H0-G2 35 red 2 true", "I9-H9 -20 black 3 true", "game 300, ply 3: H2-E2 is illegal"}, got); diff != "" {
		t.Error(diff)
	}
}

// The filter looks at each of its conditions.
func TestFilter(t *testing.T) {
	const opening = "A3A4 A6A5 C3C4 C6C5 E3E4 E6E5 G3G4 G6G5 I3I4 I6I5 B2B1 B7B8 H2H1 H7H8 A0A1"
	any, late := gamefile.Position.IsQuiet, gamefile.Position.IsForTraining
	for _, c := range []struct {
		name   string
		filter func(gamefile.Position) bool
		fen    string
		moves  string // the last of them is the ply
		score  gamefile.Score
		want   bool
	}{
		{"a quiet move", any, "", "H2E2", 0, true},
		{"too early", late, "", opening + " A9A8", 0, false},
		{"late enough", late, "", opening + " A9A8 I0I1", 0, true},
		{"late, but a capture", late, "", opening + " A9A8 A4A5", 0, false},
		{"a capture", any, "", "H2H9", 0, false},
		{"the highest score", any, "", "H2E2", 9999, true},
		{"too high a score", any, "", "H2E2", 10000, false},
		{"lost by rule", any, "", "H2E2", -20000, false},
		{"no score", any, "", "H2E2", gamefile.Unknown, false},
		{"a check", any, "3k5/9/9/9/9/9/9/9/3R5/5K3 b - - 0 1", "D9E9", 0, false},
		{"a repetition", any, "", "A0A1 A9A8 A1A0 A8A9 H2E2", 0, false},
	} {
		list := moves(t, c.moves)
		last := len(list) - 1
		g := &gamefile.Game{FEN: c.fen, Opening: list[:last], Plies: []gamefile.Ply{{Move: list[last], Score: c.score}}}
		for p, err := range g.Positions() {
			if err != nil {
				t.Errorf("%s: %v", c.name, err)
			} else if got := c.filter(p); got != c.want {
				t.Errorf("%s: passes is %v", c.name, got)
			}
		}
	}
}

// FuzzReader reads anything without harm.
func FuzzReader(f *testing.F) {
	f.Add(contents(f, write(f, three(f)...)))
	f.Fuzz(func(t *testing.T, file []byte) {
		r, err := gamefile.NewReader(bytes.NewReader(file))
		if err != nil {
			return
		}
		for g := range r.Games() {
			if g == nil {
				continue
			}
			for range g.Positions() {
			}
		}
	})
}
