package main

import (
	"os"
	"strings"
	"testing"
)

// TestRestart: -restart starts a process for each position, and is recorded among the settings of a
// run.
func TestRestart(t *testing.T) {
	layOut(t, "one.fen=startpos")
	const positions = "startpos\nstartpos moves h2e2\nstartpos moves b2e2\n"
	write(t, "three.fen", positions)
	for args, least := range map[string]int{"": 0, "-restart": 3} {
		command := strings.Fields("hints -level 1 -engine fakeplugin -trace trace.txt -summary summary.json -o out.jsonl three.fen " + args)
		got := runQhsh(t.Context(), nil, command...)
		trace, err := os.ReadFile("trace.txt")
		if err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(string(trace), " QUIT"); n-1 != least || got.status != exitOK {
			t.Errorf("%q: started %d times, %+v", args, n, got)
		}
		summary, err := os.ReadFile("summary.json")
		if has := strings.Contains(string(summary), `"restart":true,`); err != nil || has != (least > 0) {
			t.Errorf("%q: %s", args, summary)
		}
		if least == 0 {
			continue
		}
		got = runQhsh(t.Context(), nil, "hints", "-level", "1", "-engine", "fakeplugin", "-resume", "-o", "out.jsonl", "three.fen")
		if got.status != exitUsage || !strings.Contains(got.stderr, "restart is true there") {
			t.Errorf("%+v", got)
		}
	}
	const game = "[Game \"Chinese Chess\"]\n\n1. C2=5 H8+7 *\n"
	write(t, "game.pgn", game)
	got := runQhsh(t.Context(), nil, "annotate", "-restart", "-level", "1", "-engine", "fakeplugin", "-trace", "trace.txt", "game.pgn")
	if trace, err := os.ReadFile("trace.txt"); err != nil || strings.Count(string(trace), " QUIT") != 4 {
		t.Errorf("%v, %+v", err, got)
	}
}
