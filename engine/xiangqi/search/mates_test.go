package search_test

import (
	"bufio"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"qhsh/engine"
	"qhsh/engine/enginetest"
	"qhsh/engine/xiangqi"
	"qhsh/engine/xiangqi/search"
)

// A puzzle is a position with a forced mate.
type puzzle struct {
	name  string
	fen   string
	mate  int      // in moves of the side to move
	moves []string // the only correct first moves, if the source lists all of them
}

// puzzles reads the lines of an EPD file whose mate is confirmed by an independent engine and is
// at most deepest moves away.
func puzzles(t testing.TB, path string, deepest int) []puzzle {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var list []puzzle
	for lines := bufio.NewScanner(file); lines.Scan(); {
		if row := lines.Text(); strings.Contains(row, "agree") {
			if p := readPuzzle(row); p.mate <= deepest {
				list = append(list, p)
			}
		}
	}
	return list
}

// readPuzzle parses a line of EPD.
func readPuzzle(row string) puzzle {
	fields := strings.Fields(row)
	p := puzzle{fen: strings.Join(fields[:4], " ")}
	for _, op := range strings.Split(strings.Join(fields[4:], " "), ";") {
		name, value, _ := strings.Cut(strings.TrimSpace(op), " ")
		switch name {
		case "dm":
			p.mate, _ = strconv.Atoi(value)
		case "bm":
			p.moves = strings.Fields(value)
		case "id":
			p.name = strings.Trim(value, `"`)
		}
	}
	return p
}

func TestMates(t *testing.T) {
	list := puzzles(t, "testdata/mates.epd", 2)
	if len(list) < 30 {
		t.Fatalf("%d puzzles in testdata/mates.epd, want at least 30", len(list))
	}
	solveAll(t, list)
}

func TestMatesOfRealGames(t *testing.T) {
	enginetest.SkipUnderRace(t)
	data := os.Getenv("QHSH_DATA")
	if data == "" {
		t.Skip("QHSH_DATA is not set: the mates of real games are not tried")
	}
	solveAll(t, puzzles(t, filepath.Join(data, "mates", "real-games.epd"), 2))
}

// solveAll requires every mate to be found within 100,000 nodes.
func solveAll(t *testing.T, list []puzzle) {
	e := newEngine(t, search.DefaultOptions())
	found, most := 0, int64(0)
	for _, p := range list {
		pos := position(t, p.fen)
		e.Forget()
		answer, err := engine.Best(t.Context(), e, pos, engine.Limits{Nodes: 100_000})
		if err != nil {
			t.Fatalf("%s: %v", p.name, err)
		}
		line := answer[0]
		if n, _ := line.Score.Mate(); n != p.mate {
			t.Errorf("%s %s: %s %v, want mate %d", p.name, p.fen, pos.Format(line.Move()), line.Score, p.mate)
			continue
		}
		if p.moves != nil && !slices.Contains(p.moves, xiangqi.Move(line.Move()).UCI()) {
			t.Errorf("%s: %s, want one of %v", p.name, xiangqi.Move(line.Move()).UCI(), p.moves)
			continue
		}
		if !matesBy(t, pos, line.Move(), p.mate) {
			t.Errorf("%s: %s does not mate in %d", p.name, xiangqi.Move(line.Move()).UCI(), p.mate)
			continue
		}
		found, most = found+1, max(most, line.Nodes)
	}
	t.Logf("%d of %d mates found, the longest search took %d nodes", found, len(list), most)
}

// matesBy reports whether a move forces mate within n moves. It tries every reply.
func matesBy(t *testing.T, pos engine.Position, m engine.Move, n int) bool {
	after := play(t, pos, m)
	if after.Result().Over() {
		return true
	}
	if n == 1 {
		return false
	}
	for _, reply := range after.Moves() {
		next := play(t, after, reply)
		if !slices.ContainsFunc(next.Moves(), func(m engine.Move) bool { return matesBy(t, next, m, n-1) }) {
			return false
		}
	}
	return true
}

// TestMatesAreProved checks that mates are claimed of positions and moves only if they are there,
// after any number of nodes: an iteration that is cut short has not seen all moves.
func TestMatesAreProved(t *testing.T) {
	enginetest.SkipUnderRace(t)
	file, err := os.ReadFile(filepath.Join("testdata", "false-mates.fen")) // claimed by earlier versions
	if err != nil {
		t.Fatal(err)
	}
	starts := append(strings.Split(strings.TrimSpace(string(file)), "\n"), xiangqi.StartFEN)
	e := newEngine(t, small())
	rapid.Check(t, func(t *rapid.T) {
		start := rapid.SampledFrom(starts).Draw(t, "start")
		plies := 4
		if start == xiangqi.StartFEN {
			plies = 150
		}
		var pos engine.Position = position(t, start)
		for range rapid.IntRange(0, plies).Draw(t, "plies") {
			next := play(t, pos, rapid.SampledFrom(pos.Moves()).Draw(t, "move"))
			if next.Result().Over() {
				break
			}
			pos = next
		}
		lim := engine.Limits{Nodes: rapid.Int64Range(1, 5000).Draw(t, "nodes"), Lines: rapid.IntRange(0, 3).Draw(t, "lines")}
		e.Forget()
		for answer, err := range e.Search(t.Context(), pos, lim) {
			if err != nil {
				t.Fatal(err)
			}
			enginetest.ProveMates(t, pos, nil, answer)
		}
	})
}
