package record

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"qhsh/engine"
	"qhsh/engine/enginetest"
)

// stones is a library that knows nothing but the game, and apart one whose game cannot put the
// words of a move together.
var (
	stones = NewLibrary(Description{Game: enginetest.Stones})
	apart  = NewLibrary(Description{Game: struct{ engine.Game }{enginetest.Stones}})
)

// TestRoundTrip: games with chance moves and double moves survive writing and reading, with
// variations, comments and glyphs; the format moves keeps the main line.
func TestRoundTrip(t *testing.T) {
	t.Run("joined", func(t *testing.T) { roundTrip(t, stones) })
	t.Run("apart", func(t *testing.T) { roundTrip(t, apart) })
}

func roundTrip(t *testing.T, l *Library) {
	rapid.Check(t, func(t *rapid.T) {
		games := []*Game{randomGame(t), randomGame(t)}
		for _, form := range []*Format{PGN, JSON, Moves} {
			text := write(t, l, form, games)
			again, wrong := read(l, text)
			if wrong != "" {
				t.Fatalf("%s: %s\n%s", form.Name, wrong, text)
			}
			want := games
			if form == Moves {
				want = []*Game{mainLine(games[0]), mainLine(games[1])}
			}
			if diff := cmp.Diff(write(t, l, JSON, want), write(t, l, JSON, again)); diff != "" {
				t.Fatalf("%s (-want +got):\n%s\n%s", form.Name, diff, text)
			}
		}
	})
}

// randomGame returns a random game with variations and comments.
func randomGame(t *rapid.T) *Game {
	g := NewGame(enginetest.Stones.Start())
	if rapid.Bool().Draw(t, "elsewhere") {
		g.Start, _ = enginetest.Stones.Position(rapid.SampledFrom([]string{"4 second", "9 second 2", "7 first 1"}).Draw(t, "start"))
	}
	g.Result = rapid.SampledFrom([]engine.Outcome{engine.Ongoing, engine.FirstWins, engine.SecondWins, engine.Draw}).Draw(t, "result")
	if rapid.Bool().Draw(t, "tagged") {
		g.Tags.Set("First", `the "third" one`)
	}
	g.Root.Comment = rapid.SampledFrom(texts).Draw(t, "comment")
	grow(t, g.Root, g.Start, rapid.IntRange(0, 12).Draw(t, "plies"))
	return g
}

var texts = []string{"", "", "good", "two\nlines", "1. take_1 $3 *", "(a) [Event \"", "chance"}

// grow adds a line and variations of it.
func grow(t *rapid.T, n *Node, p engine.Position, plies int) {
	legal := p.Moves()
	if plies <= 0 || len(legal) == 0 {
		return
	}
	for i := range rapid.SampledFrom([]int{1, 1, 1, 2}).Draw(t, "followers") {
		before := len(n.Next)
		next := n.Add(rapid.SampledFrom(legal).Draw(t, "move"))
		if len(n.Next) == before {
			continue
		}
		next.Comment = rapid.SampledFrom(texts).Draw(t, "comment")
		if before > 0 {
			next.StartingComment = rapid.SampledFrom(texts).Draw(t, "lead")
		}
		if rapid.Bool().Draw(t, "annotated") {
			next.Glyphs = append(next.Glyphs, uint8(rapid.IntRange(1, 255).Draw(t, "glyph")))
		}
		pos, err := p.Play(next.Move)
		if err != nil {
			t.Fatal(err)
		}
		grow(t, next, pos, (plies-1)/(1+i))
	}
}

// mainLine returns what plain moves keep of a game.
func mainLine(g *Game) *Game {
	line := NewGame(g.Start)
	n := line.Root
	for _, m := range g.MainLine() {
		n = n.Append(m)
	}
	return line
}

// A failer is a testing.T or a rapid.T.
type failer interface {
	Helper()
	Fatalf(format string, args ...any)
}

func write(t failer, l *Library, form *Format, games []*Game) string {
	t.Helper()
	var text bytes.Buffer
	w, err := l.NewWriter(&text, form, "")
	if err != nil {
		t.Fatalf("%v", err)
	}
	for _, g := range games {
		if err := w.Write(g); err != nil {
			t.Fatalf("%v", err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatalf("%v", err)
	}
	return text.String()
}

// read reads the games of a text and returns the errors, one per line.
func read(l *Library, text string) (games []*Game, wrong string) {
	for g, err := range l.Read(strings.NewReader(text), "") {
		if g != nil {
			games = append(games, g)
		}
		if err != nil {
			wrong += err.Error() + "\n"
		}
	}
	return games, wrong
}

// TestReadStones reads records of a game that has only its rules.
func TestReadStones(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"a match's PGN", "[Game \"Stones\"]\n[First \"a\"]\n\n{chance: roll 2} 1. take_2 {0.00s} 2. take_1 {0.00s} {chance: roll 1} take_1\n" +
			"{0.00s} {last stone} 1-0\n", "7 first moves roll 2 take 2 take 1 roll 1 take 1 1-0\n"},
		{
			"a match's lines", `{"match":1,"game":"stones"}` + "\n" +
				`{"game":1,"round":1,"first":"a","second":"b","result":"0-1","reason":"last stone","start":"1 first","moves":[{"move":"roll 2","by":"chance"},{"move":"take 1","by":"first"}]}`,
			"1 first moves roll 2 take 1 0-1\n",
		},
		{
			"another match",
			`{"match":1,"game":"pebbles"}` + "\n" + `{"game":1,"round":1,"first":"a","start":"a heap"}` + "\n" + `{"match":1,"game":"stones"}` + "\n" +
				`{"game":1,"round":1,"first":"a","second":"b","result":"0-1","start":"1 first","moves":[]}`,
			"1 first 0-1\nline 1: a match of \"pebbles\", not Stones\n",
		},
		{"another game", "[Game \"Pebbles\"]\n\n1. x *\n", "line 1: game 1: a game of Pebbles, not Stones\n"},
		{"another game's line", `{"game":"pebbles","tags":{"first":"a"},"fen":"a heap","moves":[]}` + "\n", "line 1: game 1: a game of pebbles, not Stones\n"},
		{"a list's line", `{"game":1,"fen":"2 first","moves":[]}` + "\n", "2 first *\n"},
		{
			"annotate's line", `{"fen":"2 first","result":"*","engine":"e","moves":[{"move":"take 1"}],"sides":{"first":{}}}` + "\n",
			"line 1: game 1: output of annotate, whose moves cannot be read: have annotate write PGN instead\n",
		},
		{"no chance", "[Game \"Stones\"]\n\n1. take_1 *\n", "7 first *\nline 3: game 1: move 1. needs a chance move {chance: MOVE} before it: stones: take 1 is illegal in \"7 first\"\n"},
		{"moves", "# two games\nstartpos moves roll_1 take_1\n6 second moves roll_2\n", "7 first moves roll 1 take 1 *\n6 second moves roll 2 *\n"},
		{"digits", "startpos moves 37 813\n", "7 first *\nline 1: game 1: move 1. needs a chance move {chance: MOVE} before it: stones: no move \"813\" in \"7 first\": want one such as \"take 1\" or \"roll 2\"\n"},
		{"another game twice", "[Game \"Pebbles\"]\n\n*\n[Game \"Stones\"]\n\n*\n[Game \"Pebbles\"]\n\n*\n[Game \"Cairns\"]\n", "7 first *\n7 first *\nline 1: game 1: a game of Pebbles, not Stones (and 1 more of the file)\n"},
		{"another game's lines", `{"game":"pebbles","fen":"a heap","moves":[]}` + "\n" + `{"game":"pebbles","fen":"a heap","moves":[]}` + "\n", "line 1: game 1: a game of pebbles, not Stones (and 1 more of the file)\n"},
		{"no game", `{"match":1,"game":"stones"}` + "\n", "no game in the file\n"},
		{"numbers", "startpos moves 37 8\n", "7 first *\nline 1: game 1: want one such as \"take 1\" or \"roll 2\"\n"},
		{"prose", "Dear Sir\n", "unknown record format, and not a list of moves\n"},
	} {
		games, wrong := read(stones.WithOtherGames(OtherGame{Game: pebbles{enginetest.Stones}, Names: []string{"Pebbles"}}), c.text)
		got := ""
		for _, g := range games {
			line := strings.TrimSpace(write(t, stones, Moves, []*Game{g}))
			got += fmt.Sprintln(strings.Replace(line, startpos, "7 first", 1), FormatResult(g.Result))
		}
		if diff := cmp.Diff(c.want, got+wrong); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

// pebbles is another game.
type pebbles struct{ engine.Game }

func (pebbles) Name() string { return "pebbles" }

// whole is a format that is read into memory; each line is a game.
var whole = &Format{
	Name: "whole", Extensions: []string{".whole"},
	Detect: func(head []byte) bool { return bytes.HasPrefix(head, []byte("whole")) },
	Read: Whole(func(_ *Source, raw []byte, yield func(*Game, error) bool) {
		ok := true
		for range bytes.Lines(raw) {
			ok = ok && yield(NewGame(enginetest.Stones.Start()), nil)
		}
	}),
}

// TestTooLarge: if a file that is read into memory is too large, an error follows its first games.
func TestTooLarge(t *testing.T) {
	game := "whole" + strings.Repeat(" game", 12) + "\n"
	const member = "[First \"a\"]\n{chance: roll 1} *\n"
	library := NewLibrary(Description{Game: enginetest.Stones}, whole, Zip, PGN, Moves)
	for _, c := range []struct {
		name string
		text []byte
		want int // games
		most int
	}{
		{"whole", []byte(game + game), 2, 2 * len(game)},
		{"cut", []byte(game + game), 1, len(game)},
		{"streamed", []byte(strings.Repeat(member, 9)), 9, len(game)},
		{"member", zipped(t, "a.whole", []byte(strings.Repeat(game, 100))), 6, 6 * len(game)},
		{"archive", zipped(t, "a.pgn", []byte(member)), 0, 50},
	} {
		games, told := 0, 0
		for g, err := range library.read(bytes.NewReader(c.text), "f", int64(c.most)) {
			if g != nil {
				games++
			}
			if errors.Is(err, ErrFileTooLarge) {
				told++
			} else if err != nil {
				t.Errorf("%s: %v", c.name, err)
			}
		}
		if large := told == 1; games != c.want || large != (c.most < len(c.text) && c.name != "streamed" || c.name == "member") {
			t.Errorf("%s: %d games, told %d times", c.name, games, told)
		}
	}
}

// zipped returns an archive of a file.
func zipped(t *testing.T, name string, text []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	f, err := w.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Write(text); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
