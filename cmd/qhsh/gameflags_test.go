package main

import (
	"strings"
	"testing"
)

// A usageCase is an invalid command line and its error message.
type usageCase struct{ args, want string }

func checkUsage(t *testing.T, cases []usageCase) {
	t.Helper()
	for _, c := range cases {
		args := strings.Fields(c.args)
		got := runQhsh(t.Context(), nil, args...)
		want := "qhsh " + args[0] + ": " + c.want + "\nrun 'qhsh help " + args[0] + "' for its usage\n"
		if got.status != exitUsage || got.stdout != "" || got.stderr != want {
			t.Errorf("qhsh %s: status %d, %q, %q; want %q", c.args, got.status, got.stdout, got.stderr, want)
		}
	}
}

// TestGameOptions: an option of a game may be given once.
func TestGameOptions(t *testing.T) {
	checkUsage(t, []usageCase{
		{"perft -game quoridor,size=5,size=7 1", "-game: size is given twice: remove one"},
		{"perft -game quoridor,size=5 -size 7 1", "size is given twice: remove one"},
		{"match -game qchess quoridor b=quoridor", "-game qchess: the players play quoridor of size 9 with 10 walls"},
		{"perft -game quoridor, 1", `-game: "" is not KEY=VALUE`},
		{"board -game xiangqi,", `-game: "" is not KEY=VALUE`},
		{"perft -game quoridor,size=5,,walls=1 1", `-game: "" is not KEY=VALUE`},
	})
}

// TestNotationOfOneGame: a game with one notation accepts no notation names.
func TestNotationOfOneGame(t *testing.T) {
	const one = "-notation wxf: Quoridor has one notation"
	checkUsage(t, []usageCase{
		{"convert -game quoridor -notation wxf", one},
		{"games -game quoridor -notation WXF", one},
		{"annotate -engine quoridor -notation wxf", one},
		{"tree -engine quoridor -notation wxf", one},
		{"convert -game quoridor -notation iccs", "-notation iccs: Quoridor has one notation"},
	})
	got := runQhsh(t.Context(), func(h *host) { h.Stdin = strings.NewReader("startpos moves E8\n") }, "convert", "-game", "quoridor", "-format", "moves")
	if got.status != exitOK {
		t.Errorf("without -notation: %+v", got)
	}
}

// TestNotationOfAnotherGame: the message names the flag as it was written.
func TestNotationOfAnotherGame(t *testing.T) {
	const other = "-notation algebraic: boards of Xiangqi have no such thing, those of Checkers do"
	checkUsage(t, []usageCase{
		{"convert main.go -notation algebraic", other},
		{"tree -notation algebraic", other},
	})
}

// TestFileForPosition: the name of a file is no position, and the message says what reads it.
func TestFileForPosition(t *testing.T) {
	const want = "main.go is a file: want a position, such as startpos; 'qhsh fens' writes the positions of games, 'qhsh convert -format moves' their moves"
	checkUsage(t, []usageCase{
		{"board main.go", want},
		{"board -game quoridor main.go", want},
		{"perft 1 main.go", want},
		{"tree main.go", want},
		{"explore -db none.db main.go", want},
		{"games -position main.go main.go", "-position: " + want},
	})
}

// TestNumberOfGame: the -game of annotate is a number, not the name of a game.
func TestNumberOfGame(t *testing.T) {
	checkUsage(t, []usageCase{{
		"annotate -game quoridor",
		`invalid value "quoridor" for flag -game: want a number from 1 to 1073741824, the place of a game in its file; -engine chooses the rules`,
	}})
	for command, want := range map[string]bool{"annotate": false, "convert": true, "perft": true, "hints": false} {
		help := runQhsh(t.Context(), nil, "help", command).stdout
		if got := strings.Contains(help, "see 'qhsh help positions'"); got != want {
			t.Errorf("help %s lists the games: %v", command, got)
		}
	}
}

// TestPositionOfAnotherGame: a missing -game is reported.
func TestPositionOfAnotherGame(t *testing.T) {
	const needs = `"9 b E9/10 E1/10 -" is a position of Quoridor: use -game quoridor`
	checkUsage(t, []usageCase{
		{"perft 2 9 b E9/10 E1/10 -", needs},
		{"perft 9 b E9/10 E1/10 -", needs + ", and the depth before it"},
		{"board 9 b E9/10 E1/10 -", needs},
		{"board -game quoridor 4k4/9/9/9/9/9/9/9/4R4/4K4 b", `"4k4/9/9/9/9/9/9/9/4R4/4K4 b" is a position of Xiangqi: use -game xiangqi`},
		{"judge 9 b E9/10 E1/10 -", "no repetition rules for Quoridor, only for Xiangqi"},
	})
	got := runQhsh(t.Context(), nil, "games", "-position", "9 b E9/10 E1/10 -")
	if want := "qhsh games: -position: " + needs + "\n"; got.status != exitUsage || !strings.HasPrefix(got.stderr, want) {
		t.Errorf("games -position: %+v", got)
	}
}

// TestOperandsOfBoard: a position of any game may be followed by moves, and if it cannot be read,
// the error is about all of the text.
func TestOperandsOfBoard(t *testing.T) {
	checkUsage(t, []usageCase{{"board -game quoridor 5 b E8/10 E2/9 -", `black "E8/10": want a cell and walls such as E9/10`}})
	for _, args := range []string{"5 b C5/3 C1/3 - C4", "5 b C5/3 C1/3 - moves C4", "startpos C4"} {
		got := runQhsh(t.Context(), nil, append([]string{"board", "-game", "quoridor,size=5"}, strings.Fields(args)...)...)
		if got.status != exitOK {
			t.Errorf("board %s: %s", args, got.stderr)
		}
	}
}

// TestMissingTables: of several endings without a table the first is named.
func TestMissingTables(t *testing.T) {
	t.Chdir(t.TempDir())
	const want = "no table of KRCPAABBKAABB in endings: 'qhsh endings make KRCPAABBKAABB' makes it"
	checkUsage(t, []usageCase{{"endings stats KRCPAABBKAABB KRHPAABBKAABB KRRPAABBKAABB KCCPAABBKAABB", want}})
}
