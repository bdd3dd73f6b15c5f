package records

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"qhsh/engine"
	"qhsh/engine/games"
	"qhsh/engine/record"
)

// inFormat returns games as training data.
func inFormat(t rapid.TB, lib *record.Library, format string, filter *Filter, all ...*record.Game) string {
	t.Helper()
	var b strings.Builder
	chosen, _ := Formats(games.Default).ByName(format)
	sink, err := chosen.Write(&b, Style{Library: lib, Filter: filter})
	for i, g := range all {
		if err == nil {
			err = sink.Write("", i+1, g)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// again reads training data.
func again(t rapid.TB, lib *record.Library, text string) (all []*record.Game) {
	t.Helper()
	for g, err := range lib.Read(strings.NewReader(text), "") {
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		all = append(all, g)
	}
	return all
}

// scoredGame draws a game with scores from a start position.
func scoredGame(t *rapid.T, lib *record.Library, game engine.Game) *record.Game {
	g := record.NewGame(game.Start())
	g.Tags = record.Tags{{Name: lib.PGN.First, Value: "one"}, {Name: lib.PGN.Second, Value: "two"}}
	g.Result = rapid.SampledFrom([]engine.Outcome{engine.FirstWins, engine.SecondWins, engine.Draw, engine.Ongoing}).Draw(t, "result")
	n, pos := g.Root, g.Start
	for range rapid.IntRange(1, 40).Draw(t, "plies") {
		legal := pos.Moves()
		if len(legal) == 0 {
			break
		}
		turn := pos.Turn()
		n = n.Append(rapid.SampledFrom(legal).Draw(t, "move"))
		if pos, _ = pos.Play(n.Move); turn == engine.Chance {
			continue
		}
		switch rapid.IntRange(0, 9).Draw(t, "kind") {
		case 0:
			n.Comment = "book"
		case 1:
			mate := rapid.IntRange(1, 500).Draw(t, "mate") * rapid.SampledFrom([]int{-1, 1}).Draw(t, "sign")
			n.Comment = engine.MateIn(mate).JSON().Remark(9) + " 0.10s"
		default:
			n.Comment = engine.Centipawns(rapid.IntRange(-32000, 32000).Draw(t, "cp")).JSON().Remark(9) + " 0.10s"
		}
	}
	return g
}

// TestTrainingData: what is written of the games of any game is read again, in each format, and written to the
// same bytes; plain data have what the games have.
func TestTrainingData(t *testing.T) {
	for _, game := range games.Default.Games() {
		lib := games.Default.Records(game)
		t.Run(game.Name(), func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				g := scoredGame(t, lib, game)
				for _, of := range training {
					var f Filter
					text := inFormat(t, lib, of.name, &f, g)
					if text == "" {
						continue
					}
					read := again(t, lib, text)
					if len(read) != f.Written {
						t.Fatalf("%s: %d positions of %d\n%s", of.name, len(read), f.Written, text)
					}
					if diff := cmp.Diff(text, inFormat(t, lib, of.name, &Filter{}, read...)); diff != "" {
						t.Fatalf("%s (-written +again):\n%s", of.name, diff)
					}
					want := slices.Collect(lib.Scored(g))
					want = slices.DeleteFunc(want, func(s record.Scored) bool { return !s.Score.Known() })
					for i, one := range read {
						got := slices.Collect(lib.Scored(one))[0]
						sameMove := of.name == "text" || got.Next.Move == want[i].Next.Move
						number := record.ScoreNumber(want[i].Score)
						samePly := of.name == "text" || got.Ply == want[i].Ply
						if got.Position.String() != want[i].Position.String() || !sameMove || record.ScoreNumber(got.Score) != number || !samePly || one.Result != g.Result {
							t.Fatalf("%s: position %d: %v, want %v", of.name, i+1, got, want[i])
						}
					}
				}
			})
		})
	}
}

// TestForeignPlain: files of other programs, with a ply that differs from the FEN, another order of lines and
// other line ends.
func TestForeignPlain(t *testing.T) {
	lib := games.Default.Records(games.Default.DefaultGame())
	const text = "fen 4ka3/4aN3/9/RC7/2b2Pb2/9/9/4pp3/3nr3r/5K3 w - - 0 1\nmove a6a7\nscore 31983\nply 77\nresult -1\ne\n"
	fen, rest, _ := strings.Cut(text, "\n")
	foreign := "\n" + strings.ReplaceAll(strings.Replace(rest, "e\n", fen+"\ne\n", 1), "\n", "\r\n") + "\n"
	for _, c := range []struct{ format, want string }{
		{"plain", text},
		{"text", "4ka3/4aN3/9/RC7/2b2Pb2/9/9/4pp3/3nr3r/5K3 w - - 0 1 | 31983 | 0.0\n"},
		{"jsonl", `{"game":1,"ply":77,"fen":"4ka3/4aN3/9/RC7/2b2Pb2/9/9/4pp3/3nr3r/5K3 w - - 0 1","move":"a6a7","mate":9,"result":"0-1"}` + "\n"},
	} {
		if diff := cmp.Diff(c.want, inFormat(t, lib, c.format, &Filter{}, again(t, lib, foreign)...)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.format, diff)
		}
	}
}

// TestDamagedTraining: what is wrong costs its position alone, and is told with its line.
func TestDamagedTraining(t *testing.T) {
	const (
		start = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1"
		good  = "fen " + start + "\nmove h2e2\nscore 1\nply 0\nresult 0\ne\n"
	)
	lib := games.Default.Records(games.Default.DefaultGame())
	for _, c := range []struct{ text, want string }{
		{good + strings.Replace(good, "h2e2", "h3e3", 1) + good, "ok\nline 7: game 2: h3e3: no piece on H3\nok"},
		{good + strings.Replace(good, "score 1", "score one", 1) + good, "ok\nline 9: game 2: \"score one\": want a number from -1048576 to 1048576\nok"},
		{good + strings.Replace(good, "score 1\n", "", 1), "ok\nline 7: game 2: a position without fen or score"},
		{good + strings.Replace(good, "result 0", "result 2", 1), "ok\nline 11: game 2: \"result 2\": want a number from -1 to 1"},
		{good + "eval 3\n" + good, "ok\nline 7: game 2: \"eval 3\": want fen, move, score, ply, result or e"},
		{good + good[:len(good)-3], "ok\nline 7: game 2: the file ends within a position"},
		{start + " | 1 | 0.5\n" + start + " | 1 | 2\n", "ok\nline 2: game 2: want FEN | score | 1.0, 0.5 or 0.0"},
		{start + " | 1 | 0.5\n9/9 w | 1 | 1.0\n", "ok\nline 2: game 2: start position: 2 ranks instead of 10"},
		{`{"fen":"` + start + `","move":"a0b0","cp":1}`, "line 1: game 1: a0b0: own piece on B0; possible: a0a1 a0a2 i0i1 i0i2"},
	} {
		var got []string
		for g, err := range lib.Read(strings.NewReader(c.text), "") {
			if err == nil && g != nil {
				err = errors.New("ok")
			}
			got = append(got, err.Error())
		}
		if diff := cmp.Diff(c.want, strings.Join(got, "\n")); diff != "" {
			t.Errorf("%s(-want +got):\n%s", c.text, diff)
		}
	}
}

// TestFilter: each word leaves out what it says, and what is left out is counted.
func TestFilter(t *testing.T) {
	lib := games.Default.Records(games.Default.DefaultGame())
	const game = `[FEN "4k4/8r/9/9/9/9/9/9/R8/3K5 w"]
[Result "1-0"]

1. A1-A9 {+5.00/5} 1... E9-E8 {-25.00/5} 2. A9-A8 {+M3/5} 2... E8-E7 {-0.30/5} 3. A8-I8 {-1.00/4} 3... E7-F7 4. I8-I0 {+2.00/4} 1-0
`
	read := again(t, lib, game+"\n"+strings.ReplaceAll(game, "1-0", "*"))
	for _, c := range []struct {
		words, plies string
		failed       int
	}{
		{"", "0 1 2 3 4 6", 0},
		{"plies=3", "3 4 6", 3},
		{"score=200", "3 4 6", 3},
		{"score=500", "0 3 4 6", 2},
		{"nocheck", "0 2 4 6", 2},
		{"quiet", "1 3 6", 3},
		{"quiet,nocheck,plies=1,score=2000", "6", 5},
	} {
		f := Filter{}
		if c.words != "" {
			var err error
			if f, err = ParseFilter(c.words); err != nil {
				t.Fatal(err)
			}
		}
		var plies []string
		for _, one := range again(t, lib, inFormat(t, lib, "plain", &f, read...)) {
			plies = append(plies, fmt.Sprint(slices.Collect(lib.Scored(one))[0].Ply))
		}
		want := "; left out: 1 game without a result, or lost by a fault, 1 position without a score"
		if c.failed > 0 {
			want += fmt.Sprintf(", %d positions by -filter", c.failed)
		}
		if got := strings.Join(plies, " "); got != c.plies || f.Left() != want {
			t.Errorf("%q: plies %s%s", c.words, got, f.Left())
		}
	}
	for _, words := range []string{"", "loud", "quiet=1", "score", "score=0", "plies=-1", "plies=x", "quiet,"} {
		if _, err := ParseFilter(words); err == nil {
			t.Errorf("%q: no error", words)
		}
	}
}
