package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"qhsh/engine/enginetest"
)

// TestMarksKeepTheirMeaning: the marks of annotate are as frequent with the network as with the
// small one, so the scores of both have the same scale.
func TestMarksKeepTheirMeaning(t *testing.T) {
	enginetest.SkipUnderRace(t)
	games := thirtyGames(t)
	net, small := countMarks(t, "net", games), countMarks(t, "small", games)
	for class, n := range small {
		if m := net[class]; 10*m < 7*n || 7*m > 10*n {
			t.Errorf("%s: %d moves by the network, %d by the small one", class, m, n)
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
	args := append([]string{"annotate", "-level", "2", "-deeper", "0", "-jobs", "2", "-format", "json", "-engine", "builtin,eval=" + evaluation}, games...)
	counts := map[string]int{}
	for _, game := range classesIn(t, outputOf(t, args...)) {
		for _, class := range game {
			counts[class]++
		}
	}
	return counts
}

// outputOf returns what qhsh writes.
func outputOf(t *testing.T, args ...string) []byte {
	out, err := exec.Command("qhsh", args...).Output()
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// classesIn returns the classes of the moves of each game in lines of annotate.
func classesIn(t *testing.T, text []byte) (games [][]string) {
	for lines := json.NewDecoder(bytes.NewReader(text)); lines.More(); {
		var game struct {
			Moves []struct{ Class string }
		}
		if err := lines.Decode(&game); err != nil {
			t.Fatal(err)
		}
		var classes []string
		for _, m := range game.Moves {
			classes = append(classes, m.Class)
		}
		games = append(games, classes)
	}
	return games
}

// marksVariable is how many of thirtyGames TestMarksStand annotates, and marksFolderVariable the
// folder in which it keeps what takes long, so that it can be resumed.
const (
	marksVariable       = "QHSH_MARKS"
	marksFolderVariable = "QHSH_MARKS_FOLDER"
)

// severity is the order of the classes of bad moves.
var severity = map[string]int{"inaccuracy": 1, "mistake": 2, "blunder": 3}

// TestMarksStand: of the marks of the default, 90 % stand when all positions are searched at level 8,
// and 10 % of the mistakes and blunders of level 8 are missed at most. A mark stands if level 8 marks
// the move, too, and at most one class less severely.
func TestMarksStand(t *testing.T) {
	n, _ := strconv.Atoi(os.Getenv(marksVariable))
	if n < 1 {
		t.Skipf("%s is not set: a game takes minutes", marksVariable)
	}
	var m marksCount
	began := time.Now()
	for _, game := range spread(thirtyGames(t), n) {
		reference := classesIn(t, referenceMarks(t, game))
		m.add(classesIn(t, outputOf(t, "annotate", "-format", "json", game))[0], reference[0])
		t.Logf("%s: %+v after %v", filepath.Base(game), m, time.Since(began).Round(time.Second))
	}
	if 100*m.Stand < 90*m.Marks || 10*m.Missed > m.Mistakes {
		t.Errorf("%+v: want 90 %% of the marks to stand and 10 %% of the mistakes to be missed at most", m)
	}
}

// spread returns n of some files, spread evenly.
func spread(files []string, n int) (chosen []string) {
	n = min(n, len(files))
	for i := range n {
		chosen = append(chosen, files[i*len(files)/n])
	}
	return chosen
}

// A marksCount compares marks with those of a reference.
type marksCount struct {
	Moves, Marks     int
	Stand, Same      int // marks that stand, and that are the same
	Mistakes, Missed int // mistakes and blunders of the reference, and those without a mark
}

func (m *marksCount) add(classes, reference []string) {
	for i, class := range classes {
		got, want := severity[class], severity[reference[i]]
		m.Moves++
		if got > 0 {
			m.Marks++
			m.Stand += btoi(want >= max(1, got-1))
			m.Same += btoi(want == got)
		}
		if want >= severity["mistake"] {
			m.Mistakes++
			m.Missed += btoi(got == 0)
		}
	}
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// referenceMarks returns a game with all positions searched at level 8.
func referenceMarks(t *testing.T, game string) []byte {
	folder := os.Getenv(marksFolderVariable)
	if folder == "" {
		folder = t.TempDir()
	}
	path := filepath.Join(folder, filepath.Base(filepath.Dir(game))+"-"+filepath.Base(game)+".json")
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		outputOf(t, "annotate", "-level", "8", "-deeper", "0", "-format", "json", "-o", path, game)
		text, err = os.ReadFile(path)
	}
	if err != nil {
		t.Fatal(err)
	}
	return text
}
