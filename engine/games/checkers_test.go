package games_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"qhsh/engine"
	"qhsh/engine/checkers"
	"qhsh/engine/games"
	"qhsh/engine/record"
)

// TestPDN reads games of several variants from one file, as other programs write them, and writes
// them as PDN.
func TestPDN(t *testing.T) {
	game, err := table.New("checkers", nil)
	if err != nil {
		t.Fatal(err)
	}
	const given = `[Event "A"]
[Black "Tinsley"]
[White "Chinook"]
[Result "1-0"]

1. 11-15 23-19 2. 8-11 {the Old Fourteenth} 22-17 1-0

[Event "B"]
[GameType "25,W,8,8,A0,0"]
[Result "0-1"]

1. c3-d4 d6-c5 2. b2-c3 0-1

[Event "C"]
[GameType "22"]
[FEN "W:WK1:BK30-32"]
[Result "*"]

1. 1-5 *
`
	const want = `[Game "Checkers"]
[Event "A"]
[Site "?"]
[Date "?"]
[Round "?"]
[Black "Tinsley"]
[White "Chinook"]
[Result "1-0"]
[GameType "21"]

1. 11-15 23-19 2. 8-11 {the Old Fourteenth} 2... 22-17 1-0

[Game "Checkers"]
[Event "B"]
[Site "?"]
[Date "?"]
[Round "?"]
[White "?"]
[Black "?"]
[Result "0-1"]
[GameType "25"]

1. 22-18 10-14 2. 25-22 0-1

[Game "Checkers"]
[Event "C"]
[Site "?"]
[Date "?"]
[Round "?"]
[White "?"]
[Black "?"]
[Result "*"]
[GameType "22"]
[SetUp "1"]
[FEN "W:WK1:BK30,K31,K32"]

1. 1-5 *
`
	for _, form := range []*record.Format{record.PGN, record.JSON} {
		text := rewrite(t, table.Records(game), given, form)
		if got := rewrite(t, table.Records(game), text, record.PGN); got != want {
			t.Errorf("by way of %s: %s", form.Name, cmp.Diff(want, got))
		}
	}
}

// TestPDNVariants writes a game of every variant from a position after a few moves as PDN, and reads
// it with the rules of the variant and with others, of which the tag is then the variant.
func TestPDNVariants(t *testing.T) {
	for _, v := range checkers.Variants() {
		game := checkers.Rules{Variant: v}
		pos, moves := game.Start(), ""
		for ply := range 60 {
			if pos.Result().Over() {
				break
			}
			all := pos.Moves()
			if ply == 5 {
				moves = fmt.Sprintf("%v moves", pos)
			}
			m := all[ply*7%len(all)]
			if ply >= 5 {
				moves += " " + pos.Format(m)
			}
			next, err := pos.Play(m)
			if err != nil {
				t.Fatal(err)
			}
			pos = next
		}
		lib := table.Records(game)
		if form, _ := lib.FormatByExtension("a.PDN"); form != record.PGN {
			t.Errorf("%v: .pdn is %v", v, form)
		}
		want := rewrite(t, lib, moves+"\n", record.Moves)
		if want != moves+"\n" {
			t.Errorf("%v: moves: %s", v, cmp.Diff(moves+"\n", want))
		}
		text := rewrite(t, lib, moves, record.PGN)
		if got := rewrite(t, table.Records(checkers.DefaultRules), text, record.PGN); got != text {
			t.Errorf("%v: by way of the tag: %s", v, cmp.Diff(text, got))
		}
		if got := rewrite(t, lib, text, record.Moves); got != want {
			t.Errorf("%v: %s", v, cmp.Diff(want, got))
		}
	}
}

// rewrite reads games and writes them in a form.
func rewrite(t *testing.T, lib *record.Library, text string, form *record.Format) string {
	t.Helper()
	var out bytes.Buffer
	w, err := lib.NewWriter(&out, form, "")
	if err != nil {
		t.Fatal(err)
	}
	for g, err := range lib.Read(strings.NewReader(text), "file") {
		if err == nil {
			err = w.Write(g)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return out.String()
}

// TestPDNFiles reads PDN as other programs write it: its games as plain moves with their results, and
// the errors.
func TestPDNFiles(t *testing.T) {
	game, _ := table.New("checkers", nil)
	lib := table.Records(game)
	for _, c := range []struct{ name, text, want string }{
		{"international", `[GameType "20"]`, "file:1: game 1: tag GameType: game type 20 (international draughts) is not supported: want 21, 22, 24, 25 or 26\n"},
		{"games of the same type", "[GameType \"99\"]\n\n*\n\n[GameType \"99\"]\n\n*\n", "file:1: game 1: tag GameType: game type 99 (unknown) is not supported: want 21, 22, 24, 25 or 26 (and 1 more of the file)\n"},
		{"international without a type", "[Event \"a\"]\n\n1. 32-28 18-23 2. 34-29 *\n\n[Event \"b\"]\n[FEN \"W:W31-50:B1-20\"]\n\n*\n\n[Event \"c\"]\n\n1. 11-15 *\n", "startpos moves 11-15 *\nfile:3: game 1: a game of international draughts, not Checkers (and 1 more of the file)\n"},
		{"a variant without a type", "[Event \"a\"]\n\n1. 21-17 12-15 *", "startpos *\nfile:3: game 1: move 1. move \"21-17\": illegal move: it is black's turn (no tag GameType names the variant)\n"},
		{"zeros before squares", "[FEN \"W:W06:B01\"]\n\n1. 06-02 01-05 *", "W:W6:B1 moves 6-2 1-5 *\n"},
		{"type in words", `[GameType "pool"]`, "file:1: game 1: tag GameType: \"pool\": want a number\n"},
		{"type with commas", "[GameType \"25, W,\"]\n\n1. 22-18 *", "startpos moves 22-18 *\n"},
		{"squares without a sign", "[Event \"a\"]\n\n1. 1115 2217", "startpos moves 11-15 22-17 *\n"},
		{"a square", "[Event \"a\"]\n\n1. 11-15 22-17 2. 815", "startpos moves 11-15 22-17 *\nfile:3: game 1: move 2. move \"815\": want squares such as 11-15, 15x22 or c3-d4\n"},
		{"counters", "[GameType \"25\"]\n[FEN \"W:W22:B9:H2:F30\"]\n\n30. 22-18 9-14", "W:W22:B9 moves 22-18 9-14 *\n"},
		{"a wrong counter", "[FEN \"W:W22:B9:H:F30\"]", "file:1: game 1: start position: position \"W:W22:B9:H:F30\": want a side to move and two lists of squares, such as B:W21,K30:B1-4\n"},
		{"a game a line", "[FEN \"B:W30:BK1\"] *\n[FEN \"B:W30:BK2\"] 1-0\n", "B:W30:BK1 *\nB:W30:BK2 1-0\n"},
		{"the move after a capture decides", "[FEN \"B:W6,7,14,15,32:B2\"]\n\n1. 2x18 14-10 2. 18-22", "B:W6,7,14,15,32:B2 moves 2x11x18 14-10 18-22 *\n"},
		{
			"two captures", "[FEN \"B:W6,7,14,15,32:B2\"]\n\n1. 2x18 32-28 2. 18-22",
			"B:W6,7,14,15,32:B2 moves 2x9x18 32-28 18-22 *\n" +
				"file:3: game 1: move 1. move \"2x18\": illegal move: ambiguous capture: use 2x9x18 or 2x11x18; 2x9x18 is played\n",
		},
		{"results", "[Event \"a\"]\n[GameType \"22\"]\n\n1. 21-18 0-2\n\n[Event \"b\"]\n[Result \"1-1\"]\n\n1. 11-15 1-1\n", "startpos moves 21-18 0-1\nstartpos moves 11-15 1/2-1/2\n"},
	} {
		var got bytes.Buffer
		for g, err := range lib.Read(strings.NewReader(c.text), "file") {
			if g != nil {
				line, _ := write(t, table.Records(g.Start.Game()), record.Moves, g)
				fmt.Fprintf(&got, "%s %s\n", bytes.TrimSpace(line), record.FormatResult(g.Result))
			}
			if err != nil {
				fmt.Fprintln(&got, err)
			}
		}
		if diff := cmp.Diff(c.want, got.String()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

// TestCheckersNames are moves in both notations of a variant that has captures.
func TestCheckersNames(t *testing.T) {
	game, _ := table.New("checkers", games.Values{"variant": "russian"})
	pos := game.Start()
	var moves []engine.Move
	for _, text := range []string{"c3-d4", "f6-e5", "d4:f6"} {
		m, err := pos.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		if moves = append(moves, m); len(moves) < 3 {
			if pos, err = pos.Play(m); err != nil {
				t.Fatal(err)
			}
		}
	}
	for notation, want := range map[string]string{
		"algebraic": "c3-d4 f6-e5 d4:f6",
		"pdn":       "22-18 11-15 18x11",
	} {
		if got := strings.Join(table.MoveNames(game.Start(), moves, notation), " "); got != want {
			t.Errorf("%s: %s, want %s", notation, got, want)
		}
	}
}
