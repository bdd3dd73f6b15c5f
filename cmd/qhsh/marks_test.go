package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"qhsh/engine/enginetest"
)

// TestMarksKeepTheirMeaning: the marks of annotate are as frequent with the network as with the
// hand-made evaluation, so the scores of both have the same scale.
func TestMarksKeepTheirMeaning(t *testing.T) {
	enginetest.SkipUnderRace(t)
	games := thirtyGames(t)
	net, tapered := countMarks(t, "net", games), countMarks(t, "tapered", games)
	for class, n := range tapered {
		if m := net[class]; 10*m < 7*n || 7*m > 10*n {
			t.Errorf("%s: %d moves by the network, %d by the hand-made evaluation", class, m, n)
		}
	}
}

// thirtyGames returns files of games of masters, or skips the test.
func thirtyGames(t *testing.T) []string {
	dir := os.Getenv("QHSH_DATA")
	if dir == "" {
		t.Skip("QHSH_DATA is not set")
	}
	files, err := filepath.Glob(filepath.Join(dir, "games", "ccpd", "*", "*.pgn"))
	if err != nil || len(files) < 30 {
		t.Skipf("%d games in %s: want 30", len(files), dir)
	}
	var games []string
	for i := range 30 {
		games = append(games, files[i*len(files)/30])
	}
	return games
}

// countMarks returns how many moves of games annotate puts in each class, with an evaluation.
func countMarks(t *testing.T, evaluation string, games []string) map[string]int {
	args := append([]string{"annotate", "-level", "2", "-jobs", "2", "-format", "json", "-engine", "builtin,eval=" + evaluation}, games...)
	out, err := exec.Command("qhsh", args...).Output()
	if err != nil {
		t.Fatal(err)
	}
	counts := map[string]int{}
	for lines := json.NewDecoder(bytes.NewReader(out)); lines.More(); {
		var game struct {
			Moves []struct{ Class string }
		}
		if err := lines.Decode(&game); err != nil {
			t.Fatal(err)
		}
		for _, m := range game.Moves {
			counts[m.Class]++
		}
	}
	return counts
}
