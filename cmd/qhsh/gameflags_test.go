package main

import (
	"strings"
	"testing"
)

// A usageCase is a command line that is wrong, and what is said of it.
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

// TestGameOptions: an option of a game has one value.
func TestGameOptions(t *testing.T) {
	checkUsage(t, []usageCase{
		{"perft -game quoridor,size=5,size=7 1", "-game: size is given twice: one of them has to go"},
		{"perft -game quoridor,size=5 -size 7 1", "size is given twice: one of them has to go"},
		{"perft -game quoridor, 1", `-game: "" is not KEY=NUMBER`},
		{"board -game xiangqi,", `-game: "" is not KEY=NUMBER`},
		{"perft -game quoridor,size=5,,walls=1 1", `-game: "" is not KEY=NUMBER`},
	})
}

// TestNumberOfGame: the -game of annotate is a number, and has nothing to do with the rules.
func TestNumberOfGame(t *testing.T) {
	checkUsage(t, []usageCase{{
		"annotate -game quoridor",
		`invalid value "quoridor" for flag -game: want a number from 1 to 1073741824, the place of a game in its file; -engine chooses the rules`,
	}})
	for command, want := range map[string]bool{"annotate": false, "convert": true, "perft": true, "hints": false} {
		help := runQhsh(t.Context(), nil, "help", command).stdout
		if got := strings.Contains(help, "\nGames, for -game NAME"); got != want {
			t.Errorf("help %s tells of the games: %v", command, got)
		}
	}
}
