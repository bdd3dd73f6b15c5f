package main

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"qhsh/engine/games/gamestest"
)

// TestMissingGames: games that are in a library's index but not in the file are named and counted,
// and the command fails.
func TestMissingGames(t *testing.T) {
	const index, entry, slots = 66624, 276, 3
	raw := make([]byte, index+slots*entry)
	copy(raw, "CCBridgeLibrary")
	raw[60] = slots
	for i, flags := range []byte{7, 5, 7} { // the second is deleted
		at := raw[index+i*entry:]
		at[0], at[4], at[8] = flags, byte(2-i), 1
		for j, unit := range []uint16{0x7b2c, 0x4e00 + uint16(i), 0x5c40} { // 第, a character, 局
			binary.LittleEndian.PutUint16(at[100+2*j:], unit)
		}
	}
	file := filepath.Join(t.TempDir(), "cut.cbl")
	if err := os.WriteFile(file, raw, 0o666); err != nil {
		t.Fatal(err)
	}
	want := outcome{status: exitFailed, stderr: "" +
		"qhsh games: " + file + ": game 1: byte 0x1077c: the file ends before this game: \"第丂局\" (missing: 2 of 2 games)\n" +
		"qhsh games: " + file + ": game 2: byte 0x1077c: the file ends before this game: \"第一局\" (missing: 2 of 2 games)\n"}
	if diff := cmp.Diff(want, runQhsh(t.Context(), nil, "games", file), cmp.AllowUnexported(outcome{})); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// TestRecordsOfAnyGame: records of a match in another game are converted, listed and split.
func TestRecordsOfAnyGame(t *testing.T) {
	const match = `{"match":1,"game":"stones"}
{"game":1,"round":1,"first":"a","second":"b","result":"1-0","reason":"last stone","start":"4 first","moves":[{"move":"roll 2","by":"chance"},{"move":"take 2","by":"first"},{"move":"take 2","by":"first"}],"date":"2026-11-22"}
`
	const pgn = `[Game "Stones"]
[Event "?"]
[Site "?"]
[Date "2026.11.22"]
[Round "1"]
[First "a"]
[Second "b"]
[Result "1-0"]
[GameNumber "1"]
[SetUp "1"]
[FEN "4 first"]

{chance: roll 2} 1. take_2 {0.00s} 2. take_2 {0.00s
last stone} 1-0
`
	for _, c := range []struct {
		args []string
		in   string
		want string
	}{
		{[]string{"convert"}, match, pgn},
		{[]string{"convert", "-format", "moves"}, pgn, "4 first moves roll 2 take 2 take 2\n"},
		{[]string{"games"}, pgn, "    #  result   plies  date          first             second            event\n" +
			"    1  1-0          3  2026.11.22    a                 b\n"},
		{
			[]string{"games", "-format", "json", "-position", "2 first 2", "-first", "A"},
			pgn,
			`{"game":1,"first":"a","second":"b","result":"1-0","date":"2026.11.22","fen":"4 first","plies":3}` + "\n",
		},
		{[]string{"games", "-format", "json", "-position", "3 first 2"}, pgn, ""},
		{[]string{"fens"}, match, "4 first\n4 first 2\n2 first 2\n0 second\n"},
		{[]string{"fens", "-variations", "-format", "json"}, "2 first moves roll_1\n", `{"game":1,"ply":0,"fen":"2 first"}` + "\n" + `{"game":1,"ply":1,"fen":"2 first 1"}` + "\n"},
	} {
		got := runQhsh(t.Context(), func(h *host) {
			h.Games = gamestest.Table()
			h.Stdin = strings.NewReader(c.in)
		}, append(c.args, "-game", "stones")...)
		if diff := cmp.Diff(outcome{stdout: c.want}, got, cmp.AllowUnexported(outcome{})); diff != "" {
			t.Errorf("%v (-want +got):\n%s", c.args, diff)
		}
	}
}

// TestOtherGame: a record of another game is reported once, with the flag that reads it.
func TestOtherGame(t *testing.T) {
	const (
		pgn   = "[Game \"Quoridor\"]\n\n1. E8 *\n"
		match = `{"match":1,"game":"quoridor"}
{"game":1,"first":"a","second":"b","result":"1-0","start":"9 b E9/10 E1/10 -","moves":[]}
{"game":2,"first":"a","second":"b","result":"1-0","start":"9 b E9/10 E1/10 -","moves":[]}
`
	)
	for _, c := range []struct{ command, in, want string }{
		{"convert", pgn, "1: game 1: a game of Quoridor, not Xiangqi: use -game quoridor"},
		{"annotate", pgn, "1: game 1: a game of Quoridor, not Xiangqi: use -engine quoridor"},
		{"games", match, `1: a match of "quoridor", not Xiangqi: use -game quoridor`},
		{"convert", `{"game":"quoridor","fen":"9 b E9/10 E1/10 -","moves":[]}`, "1: game 1: a game of quoridor, not Xiangqi: use -game quoridor"},
		{"convert", "[Game \"Shogi\"]\n\n*\n", "1: game 1: a game of Shogi, not Xiangqi"},
	} {
		got := runQhsh(t.Context(), func(h *host) { h.Stdin = strings.NewReader(c.in) }, c.command)
		if want := "qhsh " + c.command + ": standard input:" + c.want + "\n"; got.status != exitFailed || got.stderr != want {
			t.Errorf("%s: status %d\n%s\nwant\n%s", c.command, got.status, got.stderr, want)
		}
	}
}

// TestIllegalStart: a game whose start has the side not to move in check is listed and converted
// with the reason, and is an error for every command that uses its positions.
func TestIllegalStart(t *testing.T) {
	const (
		fen = "3k5/9/9/9/9/9/9/9/9/3RK4 w - - 0 1"
		why = "black is in check and red is to move"
	)
	file := filepath.Join(t.TempDir(), "a.pgn")
	write(t, file, "[Red \"x\"]\n\n*\n\n[Red \"y\"]\n[FEN \""+fen+"\"]\n\n*\n")
	damage := func(command string) string {
		return "qhsh " + command + ": " + file + ":6: game 2: start position: " + why + "\n"
	}
	const start = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1"
	moves := "startpos\n# the start is illegal: " + why + "\n" + fen + "\n"
	for _, c := range []struct {
		args []string
		in   string
		want outcome
	}{
		{[]string{"games", file}, "", outcome{stdout: "" +
			"    #  result   plies  date          red               black             event\n" +
			"    1  *            0                x\n" +
			"    2  *            0                y                                   illegal start: " + why + "\n"}},
		{[]string{"games", "-format", "json", "-red", "y", file}, "", outcome{stdout: `{"game":2,"red":"y","result":"*","fen":"` + fen + `","illegal":"` + why + `","plies":0}` + "\n"}},
		{[]string{"convert", "-format", "moves", file}, "", outcome{stdout: moves}},
		{[]string{"fens", file}, "", outcome{status: exitFailed, stdout: start + "\n", stderr: damage("fens")}},
		{[]string{"annotate", "-game", "2", file}, "", outcome{status: exitFailed, stderr: damage("annotate")}},
		{[]string{"hints", "-level", "1"}, moves[len("startpos\n"):], outcome{
			status: exitFailed, stdout: `{"line":2,"input":"` + fen + `","error":"` + why + `"}` + "\n",
			stderr: "qhsh hints: line 2: " + why + "\nqhsh hints: 1 position, 1 failed\n",
		}},
	} {
		got := runQhsh(t.Context(), func(h *host) { h.Stdin = strings.NewReader(c.in) }, c.args...)
		if diff := cmp.Diff(c.want, got, cmp.AllowUnexported(outcome{})); diff != "" {
			t.Errorf("%q (-want +got):\n%s", c.args, diff)
		}
	}
}

// TestLenient: with -lenient, moves that cannot be played are no failure: the game and those behind it
// are there, and a comment has the rest. Other damage still is.
func TestLenient(t *testing.T) {
	dir := t.TempDir()
	file, db := filepath.Join(dir, "bad.pgn"), filepath.Join(dir, "games.db")
	const games = "[Red \"a\"]\n\n1. h2e2 h9g7 2. h0h9 i9h9 0-1\n\n[Red \"b\"]\n\n1. c3c4 *\n"
	write(t, file, games)
	why := file + ":3: game 1: move 2. h0h9: illegal horse move; possible: b0a2 b0c2 h0g2 h0i2"
	const list = "    #  result   plies  date          red               black             event\n" +
		"    1  0-1          2                a\n" +
		"    2  *            1                b\n"
	for _, c := range []struct {
		args []string
		want outcome
	}{
		{[]string{"games", file}, outcome{exitFailed, list, "qhsh games: " + why + "\n"}},
		{[]string{"games", "-lenient", file}, outcome{exitOK, list, "qhsh games: " + why + "; kept as a comment\n"}},
		{[]string{"convert", "-lenient", "-notation", "uci", "-format", "moves", file}, outcome{exitOK, "startpos moves h2e2 h9g7\nstartpos moves c3c4\n", "qhsh convert: " + why + "; kept as a comment\n"}},
		{[]string{"fens", "-lenient", "-last", file}, outcome{exitOK, "rnbakab1r/9/1c4nc1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR w - - 2 2\nrnbakabnr/9/1c5c1/p1p1p1p1p/9/2P6/P3P1P1P/1C5C1/9/RNBAKABNR b - - 1 1\n", "qhsh fens: " + why + "; kept as a comment\n"}},
		{[]string{"explore", "add", "-lenient", "-db", db, file}, outcome{exitOK, "", "qhsh explore: " + why + "; kept as a comment\nqhsh explore: 2 games of 1 file added\n"}},
		{[]string{"explore", "-lenient", "-db", db}, outcome{exitUsage, "", "qhsh explore: -lenient is for 'qhsh explore add', 'qhsh explore novelty'\nrun 'qhsh help explore' for its usage\n"}},
	} {
		if diff := cmp.Diff(c.want, runQhsh(t.Context(), nil, c.args...), cmp.AllowUnexported(outcome{})); diff != "" {
			t.Errorf("%q, -want +got:\n%s", c.args, diff)
		}
	}
}
