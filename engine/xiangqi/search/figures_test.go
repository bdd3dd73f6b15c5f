package search_test

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"qhsh/engine"
	"qhsh/engine/xiangqi"
	"qhsh/engine/xiangqi/search"
)

// The benchmarks here measure the quality of play rather than the speed. Each
// iteration is one position, taken from a file of $QHSH_DATA in a fixed random order, so -benchtime
// 500x is a random sample of 500:
//
//	QHSH_DATA=... go test ./engine/xiangqi/search -run - -bench 'Found|BestMoves' -benchtime 500x

// epd returns the lines of a file of $QHSH_DATA that contain a text, shuffled.
func epd(b *testing.B, text string, path ...string) (rows []string) {
	b.Helper()
	data := os.Getenv("QHSH_DATA")
	if data == "" {
		b.Skip("QHSH_DATA is not set: no positions to search")
	}
	file, err := os.Open(filepath.Join(append([]string{data}, path...)...))
	if err != nil {
		b.Fatal(err)
	}
	defer file.Close()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		if strings.Contains(lines.Text(), text) {
			rows = append(rows, lines.Text())
		}
	}
	order := rand.New(rand.NewPCG(6, 6)) // the same for every run
	order.Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
	return rows
}

// share reports the percentage of the positions that were solved.
func share(b *testing.B, good, all int, unit string) {
	b.ReportMetric(100*float64(good)/float64(max(all, 1)), unit)
	b.ReportMetric(float64(all), "positions")
}

// BenchmarkMatesFound reports how many mates of real games and of composed endgames are found in
// the stated number of moves or fewer. With 64 million nodes it must find all 3,117 mates of real
// games:
//
//	QHSH_DATA=... go test ./engine/xiangqi/search -run - -bench MatesFound/real-games/nodes=64000000 -benchtime 3117x -timeout 1h
func BenchmarkMatesFound(b *testing.B) {
	for _, c := range []struct {
		name, only string
		nodes      []int64
	}{
		{"real-games", "agree", []int64{20_000, 200_000, 1_000_000, 4_000_000, 16_000_000, 64_000_000}},
		{"classic", "dm ", []int64{100_000, 1_000_000}},
	} {
		for _, nodes := range c.nodes {
			b.Run(fmt.Sprintf("%s/nodes=%d", c.name, nodes), func(b *testing.B) {
				matesFound(b, epd(b, c.only, "mates", c.name+".epd"), nodes)
			})
		}
	}
}

// ask returns an engine's answer to a puzzle within a number of nodes, after Forget.
func (p puzzle) ask(b *testing.B, e *search.Engine, nodes int64) []engine.Line {
	e.Forget()
	answer, err := engine.Best(b.Context(), e, position(b, p.fen), engine.Limits{Nodes: nodes})
	if err != nil {
		b.Fatalf("%s: %v", p.name, err)
	}
	return answer
}

// matesFound searches mates with a number of nodes each and logs those not found.
func matesFound(b *testing.B, rows []string, nodes int64) {
	e := newEngine(b, search.DefaultOptions())
	found, longer, all := 0, 0, 0
	for b.Loop() {
		p := readPuzzle(rows[all%len(rows)])
		all++
		answer := p.ask(b, e, nodes)
		switch n, ok := answer[0].Score.Mate(); {
		case ok && 0 < n && n <= p.mate:
			found++
		case ok && n > 0:
			longer++
			b.Logf("%s: mate in %d, want %d: %s", p.name, n, p.mate, p.fen)
		default:
			b.Logf("%s: %v, want mate in %d: %s", p.name, answer[0].Score, p.mate, p.fen)
		}
	}
	share(b, found, all, "%found")
	share(b, longer, all, "%longer")
}

// BenchmarkBestMoves reports how often the engine's first move equals that of Pikafish at depth
// 20, in positions of real games.
func BenchmarkBestMoves(b *testing.B) {
	for _, nodes := range []int64{25_600, 1_000_000} { // the first is the default level's
		b.Run(fmt.Sprintf("nodes=%d", nodes), func(b *testing.B) {
			rows := epd(b, "bm ", "positions", "bestmoves.epd")
			e := newEngine(b, search.DefaultOptions())
			agreed, all := 0, 0
			for b.Loop() {
				p := readPuzzle(rows[all%len(rows)])
				all++
				answer := p.ask(b, e, nodes)
				if slices.Contains(p.moves, xiangqi.Move(answer[0].Move()).UCI()) {
					agreed++
				}
			}
			share(b, agreed, all, "%agreed")
		})
	}
}
