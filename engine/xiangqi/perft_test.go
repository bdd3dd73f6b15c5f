package xiangqi

import (
	"bufio"
	"encoding/json"
	"os"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"qhsh/engine/enginetest"
)

// A perftCase is a position and the published counts of its moves by depth.
type perftCase struct {
	ID    string
	FEN   string
	Nodes map[string]int64 // by depth in decimal
}

func readPerft(t testing.TB) (cases []perftCase) {
	t.Helper()
	for _, line := range readLines(t, "testdata/perft.jsonl") {
		var c perftCase
		if err := json.Unmarshal([]byte(line), &c); err != nil {
			t.Fatal(err)
		}
		cases = append(cases, c)
	}
	return cases
}

// readRandom100 reads lines with a FEN and its counts from depth 1 on.
func readRandom100(t testing.TB) (cases []perftCase) {
	t.Helper()
	for i, line := range readLines(t, "testdata/random100.tsv") {
		columns := strings.Split(line, "\t")
		c := perftCase{ID: "random-" + strconv.Itoa(i+1), FEN: columns[0], Nodes: map[string]int64{}}
		for depth, column := range columns[1:] {
			n, err := strconv.ParseInt(column, 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			c.Nodes[strconv.Itoa(depth+1)] = n
		}
		cases = append(cases, c)
	}
	return cases
}

func parse(t testing.TB, fen string) *Position {
	t.Helper()
	p, err := ParseFEN(fen)
	if err != nil {
		t.Fatalf("%s: %v", fen, err)
	}
	return p
}

func readLines(t testing.TB, name string) (lines []string) {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	scanner := bufio.NewScanner(f)
	for scanner.Scan() {
		lines = append(lines, scanner.Text())
	}
	if err := scanner.Err(); err != nil {
		t.Fatal(err)
	}
	return lines
}

// perftBudget returns the largest count that a test run computes.
func perftBudget() int64 {
	switch {
	case os.Getenv("QHSH_PERFT") != "":
		return 1 << 40
	case enginetest.Race || testing.Short():
		return 100_000
	}
	return 4_000_000
}

// TestPerft checks every published count up to perftBudget. With $QHSH_PERFT set in the
// environment it checks all of them, 13 billion leaf nodes.
func TestPerft(t *testing.T) {
	budget := perftBudget()
	for _, c := range append(readPerft(t), readRandom100(t)...) {
		t.Run(c.ID, func(t *testing.T) {
			t.Parallel()
			board := parse(t, c.FEN).Board()
			for depth, want := range c.Nodes {
				if d, err := strconv.Atoi(depth); err != nil {
					t.Error(err)
				} else if want > budget {
					continue
				} else if got := perft(board, d, new(atomic.Bool)); got != want {
					t.Errorf("%s: perft %d is %d, want %d", c.FEN, d, got, want)
				}
			}
		})
	}
}

// TestPerftLarge counts from the start position, one ply deeper than TestPerft.
func TestPerftLarge(t *testing.T) {
	if enginetest.Race || testing.Short() {
		t.Skip("takes long under the race detector and is skipped in short mode")
	}
	if got := perft(Start().Board(), 5, new(atomic.Bool)); got != 133312995 {
		t.Errorf("perft 5 of the start position is %d, want 133312995", got)
	}
}

func BenchmarkPerft(b *testing.B) {
	board := Start().Board()
	var nodes int64
	b.ReportAllocs()
	for b.Loop() {
		nodes += perft(board, 4, new(atomic.Bool))
	}
	b.ReportMetric(float64(nodes)/b.Elapsed().Seconds(), "nodes/s")
}

// BenchmarkPerftPublished counts two plies from every published position, including middle games
// and endgames.
func BenchmarkPerftPublished(b *testing.B) {
	var boards []*Board
	for _, c := range readPerft(b) {
		boards = append(boards, parse(b, c.FEN).Board())
	}
	var nodes int64
	b.ReportAllocs()
	for b.Loop() {
		for _, board := range boards {
			nodes += perft(board, 3, new(atomic.Bool))
		}
	}
	b.ReportMetric(float64(nodes)/b.Elapsed().Seconds(), "nodes/s")
}

func BenchmarkAppendMoves(b *testing.B) {
	board := parse(b, "r1ba1a3/4kn3/2n1b4/pNp1p1p1p/4c4/6P2/P1P2R2P/1CcC5/9/2BAKAB2 w - - 0 1").Board()
	moves := make([]Move, 0, MaxMoves)
	b.ReportAllocs()
	for b.Loop() {
		moves = board.AppendMoves(moves[:0])
	}
}

func BenchmarkGivesCheck(b *testing.B) {
	board := parse(b, "r1ba1a3/4kn3/2n1b4/pNp1p1p1p/4c4/6P2/P1P2R2P/1CcC5/9/2BAKAB2 w - - 0 1").Board()
	moves := board.AppendMoves(nil)
	b.ReportAllocs()
	for b.Loop() {
		for _, m := range moves {
			board.GivesCheck(m)
		}
	}
}

func BenchmarkDoUndo(b *testing.B) {
	board := Start().Board()
	m := mustMove(b, "h2e2")
	b.ReportAllocs()
	for b.Loop() {
		board.Do(m)
		board.Undo()
	}
}

func BenchmarkPlay(b *testing.B) {
	p, m := Start(), mustMove(b, "h2e2")
	b.ReportAllocs()
	for b.Loop() {
		if _, err := p.PlayMove(m); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkParseFEN(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := ParseFEN(StartFEN); err != nil {
			b.Fatal(err)
		}
	}
}
