package main

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"qhsh/engine/enginetest/golden"
	"qhsh/engine/games/gamestest"
)

// clocks matches the times and dates in an output.
var clocks = regexp.MustCompile(`(?m)^\d+m?s$|\d+\.\d+ positions a second|\d+\.\d\d+s|\d{4}\.\d\d\.\d\d`)

// TestStones: a game that exists only as a row in a copy of the table works with every command: it
// is played, measured, analysed, judged, drawn, recorded and scripted.
func TestStones(t *testing.T) {
	folder := t.TempDir()
	record, pgn, answers := filepath.Join(folder, "m.jsonl"), filepath.Join(folder, "m.pgn"), filepath.Join(folder, "a.jsonl")
	var all strings.Builder
	for _, c := range []struct {
		in   string
		args []string
	}{
		{"7 first 2\n7 first moves roll 2 take 2\n", []string{"hints", "-engine", "stones", "-level", "1"}},
		{"7 first 2\n", []string{"hints", "-engine", "stones", "-level", "1", "-o", answers}},
		{`{"id":1,"moves":["roll 2","take 2"],"limits":{"level":1},"ban":["take 2"]}` + "\n", []string{"analyze", "-engine", "stones"}},
		{"", []string{"stats", "-game", "stones", answers, answers}},
		{"", []string{"tree", "-engine", "stones", "-depth", "2", "-width", "2", "3", "first", "2"}},
		{"", []string{"perft", "-game", "stones", "3"}},
		{"", []string{"perft", "-game", "stones", "2", "3", "second", "1"}},
		{"", []string{"bench", "-depth", "2", "stones"}},
		{"", []string{"match", "-games", "2", "-depth", "2", "-o", record, "-pgnout", pgn, "a=stones", "b=stones"}},
		{"", []string{"games", "-game", "stones", record}},
		{"", []string{"games", "-game", "stones", pgn}},
		{"", []string{"convert", "-game", "stones", record}},
		{"", []string{"convert", "-game", "stones", "-format", "moves", record}},
		{"7 first moves roll 2 take 2\n", []string{"convert", "-game", "stones", "-format", "json"}},
		{"", []string{"fens", "-game", "stones", "-last", record}},
		{"7 first moves roll 2 take 2 take 2 take 1\n", []string{"annotate", "-engine", "stones", "-level", "1"}},
		{"", []string{"board", "-game", "stones", "5", "second", "1"}},
		{".board\nroll 2\n.moves\n.hints\ntake 2\n.undo\n.history\n.judge\n", []string{"shell", "-engine", "stones"}},
		{"", []string{"run", "testdata/stones.star"}},
	} {
		got := runQhsh(t.Context(), func(h *host) {
			h.Games, h.Stdin = gamestest.Table(), strings.NewReader(c.in)
		}, c.args...)
		all.WriteString("$ qhsh " + strings.Join(c.args, " ") + "\n" + got.stdout + got.stderr)
		if got.status != exitOK {
			all.WriteString("exit " + statusNames[got.status] + "\n")
		}
	}
	text := strings.NewReplacer(folder, "FOLDER").Replace(all.String())
	golden.Compare(t, "testdata/stones.txt", clocks.ReplaceAllString(millis.ReplaceAllString(text, ""), "TIME"))
}

var statusNames = map[int]string{exitFailed: "failed", exitUsage: "usage", exitEngine: "engine"}
