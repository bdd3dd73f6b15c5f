package games_test

import (
	"bytes"
	"errors"
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

// TestPDNErrors: a game type that is not known is an error of its tag.
func TestPDNErrors(t *testing.T) {
	game, _ := table.New("checkers", nil)
	for tag, want := range map[string]string{
		"20":     "file:1: game 1: tag GameType: unknown game type 20: want 21, 22, 24, 25 or 26",
		"pool":   `file:1: game 1: tag GameType: "pool": want a number`,
		"25, W,": "",
	} {
		var got error
		for _, err := range table.Records(game).Read(strings.NewReader(fmt.Sprintf("[GameType %q]\n\n1. 22-18 *\n", tag)), "file") {
			got = errors.Join(got, err)
		}
		if fmt.Sprint(got) != want && !(got == nil && want == "") {
			t.Errorf("%s: %v, want %s", tag, got, want)
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
