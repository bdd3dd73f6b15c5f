package games_test

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"qhsh/engine"
	"qhsh/engine/enginetest"
	"qhsh/engine/games"
	"qhsh/engine/record"
)

// TestRecords: the games of every table entry survive every writable format, with any options.
func TestRecords(t *testing.T) {
	sized, err := table.New("quoridor", games.Values{"size": "5", "walls": "2"})
	if err != nil {
		t.Fatal(err)
	}
	for _, game := range append(table.Games(), sized) {
		lib := table.Records(game)
		t.Run(table.Describe(game), func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				g := record.FromPosition(playOn(t, game.Start(), 20))
				for _, form := range lib.Formats() {
					if form.CanWrite() {
						sameAgain(t, lib, form, g)
					}
				}
			})
		})
	}
}

func playOn(t *rapid.T, p engine.Position, plies int) engine.Position {
	for range rapid.IntRange(0, plies).Draw(t, "plies") {
		legal := p.Moves()
		if len(legal) == 0 {
			break
		}
		p, _ = p.Play(rapid.SampledFrom(legal).Draw(t, "move"))
	}
	return p
}

// write returns the text of a game in a format, and what it lacks.
func write(t rapid.TB, lib *record.Library, form *record.Format, g *record.Game) (text []byte, lost []string) {
	t.Helper()
	var b bytes.Buffer
	w, err := lib.NewWriter(&b, form, "")
	if err == nil {
		err = errors.Join(w.Write(g), w.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes(), w.Lost()
}

func sameAgain(t *rapid.T, lib *record.Library, form *record.Format, g *record.Game) {
	text, _ := write(t, lib, form, g)
	count := 0
	for again, err := range lib.Read(bytes.NewReader(text), "") {
		count++
		if err != nil {
			t.Fatalf("%s: %v\n%s", form.Name, err, text)
		}
		if diff := cmp.Diff(g.MainLine(), again.MainLine()); diff != "" || again.Start.String() != g.Start.String() {
			t.Fatalf("%s: from %s (-want +got):\n%s\n%s", form.Name, again.Start, diff, text)
		}
		if again.Result != g.Result && form != record.Moves {
			t.Fatalf("%s: result %v, want %v\n%s", form.Name, again.Result, g.Result, text)
		}
	}
	if count != 1 {
		t.Fatalf("%s: %d games\n%s", form.Name, count, text)
	}
}

// TestDamagedRecords: whatever a file says, the moves of a game that was read can be played, also those
// of a game that is reported as damaged.
func TestDamagedRecords(t *testing.T) {
	for _, game := range table.Games() {
		lib := table.Records(game)
		for _, form := range lib.Formats() {
			if !form.CanWrite() {
				continue
			}
			t.Run(game.Name()+" "+form.Name, func(t *testing.T) {
				rapid.Check(t, func(t *rapid.T) {
					text, _ := write(t, lib, form, record.FromPosition(playOn(t, game.Start(), 30)))
					damaged := damage(t, text)
					for g := range lib.Read(bytes.NewReader(damaged), "") {
						if g != nil {
							playAll(t, g.Start, g.Root.Next, damaged)
						}
					}
				})
			})
		}
	}
}

// damage repeats, leaves out or changes a part of a text, mostly a line near its end, where the moves
// are.
func damage(t *rapid.T, text []byte) []byte {
	end := len(text) - rapid.IntRange(0, len(text)-1).Draw(t, "behind")
	start := rapid.IntRange(0, end-1).Draw(t, "start")
	if rapid.IntRange(0, 3).Draw(t, "line") > 0 {
		start = bytes.LastIndexByte(text[:end-1], '\n') + 1
	}
	part := text[start:end]
	switch rapid.IntRange(0, 2).Draw(t, "damage") {
	case 0:
		part = bytes.Repeat(part, 2)
	case 1:
		part = nil
	case 2:
		part = rapid.SliceOfN(rapid.SampledFrom(text), len(part), len(part)).Draw(t, "bytes")
	}
	return slices.Concat(text[:start], part, text[end:])
}

func playAll(t *rapid.T, pos engine.Position, nodes []*record.Node, text []byte) {
	for _, n := range nodes {
		next, err := pos.Play(n.Move)
		if err != nil {
			t.Fatalf("%v: %v\n%s", pos, err, text)
		}
		playAll(t, next, n.Next, text)
	}
}

// TestOtherRecords: a record of one game is not taken for another.
func TestOtherRecords(t *testing.T) {
	for _, c := range []struct{ reader, of, want string }{
		{"xiangqi", "Quoridor", "line 1: game 1: a game of Quoridor, not Xiangqi"},
		{"stones", "Chinese Chess", "line 1: game 1: a game of Chinese Chess, not Stones"},
		{"quoridor", "shogi", "line 1: game 1: a game of Shogi, not Quoridor"},
		{"xiangqi", "Draughts", "line 1: game 1: a game of Draughts, not Xiangqi"},
		{"checkers", "Draughts", "<nil>"},
	} {
		game, err := table.New(c.reader, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, err := range table.Records(game).Read(strings.NewReader("[Game \""+c.of+"\"]\n\n*\n"), "") {
			if fmt.Sprint(err) != c.want {
				t.Errorf("%v, want %s", err, c.want)
			}
		}
	}
}

// TestResultsAsInPGN: in every format 1-0 is a win of White, who moves second.
func TestResultsAsInPGN(t *testing.T) {
	game, err := table.New("quoridor", nil)
	if err != nil {
		t.Fatal(err)
	}
	lib := table.Records(game)
	g := record.NewGame(game.Start())
	g.Result = engine.SecondWins
	for form, want := range map[*record.Format]string{record.PGN: `[Result "1-0"]`, record.JSON: `"result":"1-0"`} {
		text, _ := write(t, lib, form, g)
		if !strings.Contains(string(text), want) {
			t.Errorf("%s: want %s\n%s", form.Name, want, text)
		}
		for again, err := range lib.Read(bytes.NewReader(text), "") {
			if err != nil || again.Result != g.Result {
				t.Errorf("%s: read as %v, %v", form.Name, again, err)
			}
		}
	}
}

// TestOtherForms: the error of a format that only another game has names that game.
func TestOtherForms(t *testing.T) {
	game, err := table.New("quoridor", nil)
	if err != nil {
		t.Fatal(err)
	}
	const want = "xqf is a format of Xiangqi, not Quoridor"
	for _, err := range table.Records(game).Read(strings.NewReader("XQ\x0a\x00"+strings.Repeat("\x00", 2000)), "") {
		var other *record.OtherGameError
		if !errors.As(err, &other) || other.Game != "xiangqi" || other.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// TestLinesNameTheirGame: lines of JSON name every game but the usual one.
func TestLinesNameTheirGame(t *testing.T) {
	for _, game := range table.Games() {
		text, _ := write(t, table.Records(game), record.JSON, record.NewGame(game.Start()))
		named := bytes.HasPrefix(text, []byte(`{"game":"`+game.Name()+`"`))
		if usual := game.Name() == table.DefaultGame().Name(); named == usual {
			t.Errorf("%s: %s", game.Name(), text)
		}
	}
}

// TestHostileTexts: tags and comments survive every writable format, or the writer says what was
// lost. Plain moves have none.
func TestHostileTexts(t *testing.T) {
	for _, game := range table.Games() {
		lib := table.Records(game)
		for _, form := range lib.Formats() {
			for _, text := range enginetest.HostileTexts {
				if form.CanWrite() && form != record.Moves {
					keepsText(t, lib, form, text)
				}
			}
		}
	}
}

func keepsText(t *testing.T, lib *record.Library, form *record.Format, text string) {
	t.Helper()
	g := record.NewGame(lib.Game.Start())
	first := lib.PGN.First
	g.Tags.Add("Event", "x")
	g.Tags.Add(first, text)
	g.Root.Comment = record.CleanText(text)
	g.Root.Append(g.Start.Moves()[0]).Comment = record.CleanText(text)
	file, lost := write(t, lib, form, g)
	var games []*record.Game
	for again, err := range lib.Read(bytes.NewReader(file), "") {
		if err != nil {
			t.Errorf("%s of %s: %v\n%s", form.Name, lib.Game.Name(), err, file)
		}
		games = append(games, again)
	}
	if len(games) != 1 || games[0] == nil || games[0].Plies() != 1 {
		t.Errorf("%s of %s: %d games\n%s", form.Name, lib.Game.Name(), len(games), file)
		return
	}
	diff := cmp.Diff(texts(g, first), texts(games[0], first))
	if diff != "" && len(lost) == 0 {
		t.Errorf("%s of %s (-want +got):\n%s", form.Name, lib.Game.Name(), diff)
	}
}

// texts returns a tag and the comments of a game.
func texts(g *record.Game, tag string) (all []string) {
	return []string{g.Tags.Get("Event"), g.Tags.Get(tag), g.Root.Comment, g.Root.Next[0].Comment}
}

// TestOpening checks the name of an opening, that of the last position that has one, and its translation.
func TestOpening(t *testing.T) {
	pos := table.DefaultGame().Start()
	for _, c := range []struct{ move, name, chinese string }{
		{"A3-A4", "Edge Pawn", "九尾龟"},
		{"H7-E7", "Edge Pawn", "九尾龟"},
	} {
		m, err := pos.Parse(c.move)
		if err != nil {
			t.Fatal(err)
		}
		if pos, err = pos.Play(m); err != nil {
			t.Fatal(err)
		}
		name := table.Opening(record.FromPosition(pos))
		if name != c.name || table.Word(pos.Game(), "zh", name) != c.chinese || table.Word(pos.Game(), "en", name) != c.name {
			t.Errorf("after %s: %s, %s", c.move, name, table.Word(pos.Game(), "zh", name))
		}
	}
	for _, game := range table.Games()[1:] {
		if name := table.Opening(record.FromPosition(game.Start())); name != "" {
			t.Errorf("%s: the opening %s", game.Name(), name)
		}
	}
}
