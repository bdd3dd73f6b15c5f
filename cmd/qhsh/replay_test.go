package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"qhsh/engine"
	"qhsh/engine/enginetest"
	"qhsh/engine/xiangqi"
	"qhsh/pluginclient/task/match"
)

// gamesVariable names a file of qhsh match -o whose games are replayed instead of games that the
// test plays.
const gamesVariable = "QHSH_GAMES"

// TestGamesReplay: games of the embedded engine against itself have legal moves only, and continue
// and end as the judge of repetitions says. To play and replay 2,000 games, at 2,000 nodes a move:
//
//	qhsh match -games 2000 -repeat=false -nodes 2000 -order random -srand 6 -openings examples/positions.fen -o games.jsonl builtin builtin
//	QHSH_GAMES=$PWD/games.jsonl go test ./cmd/qhsh -run TestGamesReplay -v
func TestGamesReplay(t *testing.T) {
	path := os.Getenv(gamesVariable)
	if path == "" {
		path = filepath.Join(t.TempDir(), "games.jsonl")
		played := "40"
		if enginetest.Race {
			played = "8"
		}
		args := []string{
			"match", "-games", played, "-repeat=false", "-nodes", "150", "-order", "random", "-srand", "6",
			"-openings", "../../examples/positions.fen", "-o", path, "builtin", "builtin",
		}
		if got := runQhsh(t.Context(), nil, args...); got.status != exitOK {
			t.Fatalf("%q: exit status %d: %s", args, got.status, got.stderr)
		}
	}
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var terms struct {
		Rules string `json:"rules"`
	}
	decoder := json.NewDecoder(file)
	if err := decoder.Decode(&terms); err != nil {
		t.Fatal(err)
	}
	rules, err := xiangqi.ParseRuleSet(terms.Rules)
	if err != nil {
		t.Fatal(err)
	}
	games, plies, ends := 0, 0, map[string]int{}
	for ; decoder.More(); games++ {
		var r match.Record
		if err := decoder.Decode(&r); err != nil {
			t.Fatal(err)
		}
		replay(t, rules, r)
		plies += len(r.Moves)
		ends[r.Reason]++
	}
	if games == 0 {
		t.Error("no game to replay")
	}
	t.Logf("%d games, %d moves: %v", games, plies, ends)
}

// replay plays a game again and compares the judge's verdict with the recorded one.
func replay(t *testing.T, rules xiangqi.RuleSet, r match.Record) {
	t.Helper()
	pos, err := xiangqi.ParseFEN(r.Start)
	if err != nil {
		t.Errorf("game %d: %v", r.Game, err)
		return
	}
	for i, ply := range r.Moves {
		if ruling := rules.Judge(pos); ruling.Result.Over() && i >= r.Book {
			t.Errorf("game %d goes on after ply %d: %v", r.Game, i, ruling.Result)
		}
		m, err := pos.Parse(ply.Move)
		if err != nil {
			t.Errorf("game %d, ply %d: %v", r.Game, i+1, err)
			return
		}
		if pos, err = pos.PlayMove(xiangqi.Move(m)); err != nil {
			t.Errorf("game %d, ply %d: %v", r.Game, i+1, err)
			return
		}
	}
	result := rules.Judge(pos).Result
	want := map[engine.Outcome]string{engine.FirstWins: "1-0", engine.SecondWins: "0-1", engine.Draw: "1/2-1/2"}[result.Outcome]
	switch {
	case r.Fault != nil:
		t.Errorf("game %d was lost by a fault: %s", r.Game, r.Fault.Error)
	case r.Early:
	case r.Result != want || r.Reason != result.Reason:
		t.Errorf("game %d ended %s by %q, the judge says %v", r.Game, r.Result, r.Reason, result)
	}
}
