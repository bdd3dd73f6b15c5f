package search_test

import (
	"bufio"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"qhsh/engine"
	"qhsh/engine/enginetest"
	"qhsh/engine/xiangqi"
	"qhsh/engine/xiangqi/search"
)

// endRules are the rules that end a game with legal moves left.
var endRules = []string{
	"3k5/9/9/R8/2c6/9/9/9/9/5K3 w",
	"3k5/9/9/9/9/9/9/p8/1r7/4K4 b",
	"4k4/4a4/4b4/9/9/2B6/9/9/4A4/3AK1C2 b",
	"3ak4/4a4/9/9/4P1p2/9/9/9/4A4/3AK4 w",
	"c2a1k3/2c1a2R1/b6P1/8p/9/9/9/9/4K4/9 w",
	"2ba1a3/2R1r4/3k5/p1N6/6b2/9/9/4B4/4A4/4KAB2 w",
}

// Without pruning rules, the score of each of several lines equals that of the best line with the
// lines before it banned: a zero-window search is exact.
func TestLinesAreExact(t *testing.T) {
	enginetest.SkipUnderRace(t)
	probing := newEngine(t, search.Options{Hash: 1, Aspiration: 20, LineProbes: true})
	alone := newEngine(t, search.Options{Hash: 1})
	rapid.Check(t, func(t *rapid.T) {
		var pos engine.Position = position(t, rapid.SampledFrom(endRules).Draw(t, "fen"))
		for _, n := range rapid.SliceOfN(rapid.IntRange(0, 1<<16), 0, 4).Draw(t, "moves") {
			if legal := pos.Moves(); len(legal) > 0 {
				pos = play(t, pos, legal[n%len(legal)])
			}
		}
		if n := len(pos.Moves()); n == 0 || n > 12 {
			return
		}
		lim := engine.Limits{Depth: 5, Lines: rapid.IntRange(2, 6).Draw(t, "lines")}
		probing.Forget()
		several, err := engine.Best(t.Context(), probing, pos, lim)
		if err != nil {
			t.Fatal(err)
		}
		lim.Lines = 1
		for i, line := range several {
			alone.Forget()
			want, err := engine.Best(t.Context(), alone, pos, lim)
			if err != nil {
				t.Fatal(err)
			}
			if line.Score != want[0].Score {
				t.Errorf("line %d, %s: %v, with those before it banned %v", i, pos.Format(line.Move()), line.Score, want[0].Score)
			}
			lim.Ban = append(lim.Ban, line.Move())
		}
	})
}

// A line has several moves even if the budget ends the search between two windows.
func TestStoppedLinesGoOn(t *testing.T) {
	enginetest.SkipUnderRace(t)
	e := newEngine(t, search.DefaultOptions())
	for _, fen := range benchPositions {
		pos := position(t, fen)
		for nodes := int64(2000); nodes <= 20000; nodes += 500 {
			e.Forget()
			for _, line := range best(t, e, pos, engine.Limits{Nodes: nodes}) {
				if len(line.Moves) < 3 {
					t.Errorf("%s, %d nodes: %d moves", fen, nodes, len(line.Moves))
				}
			}
		}
	}
}

// The first of several lines is searched like a single line, and the others also have several
// moves.
func TestLinesGoOn(t *testing.T) {
	enginetest.SkipUnderRace(t)
	e := newEngine(t, search.DefaultOptions())
	short := 0
	for _, fen := range benchPositions {
		pos := position(t, fen)
		e.Forget()
		for i, line := range best(t, e, pos, engine.Limits{Depth: 9, Lines: 5}) {
			if len(line.Moves) < 3 {
				t.Logf("%s line %d: %d moves", fen, i, len(line.Moves))
				short++
			}
		}
	}
	if short > 3 {
		t.Errorf("%d of 15 lines have less than three moves", short)
	}
}

// The line of a mate is legal and never longer than its score says. Nearly always it ends in mate;
// it is shorter only if table entries were overwritten.
func TestMateLines(t *testing.T) {
	enginetest.SkipUnderRace(t)
	list := puzzles(t, filepath.Join("testdata", "mates.epd"), 8)
	list = append(list, puzzle{fen: "3a1kb2/3PP4/c7b/2n6/2R6/9/9/4B4/9/3AKAB2 w"})
	e := newEngine(t, small())
	mates, whole := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		var pos engine.Position = position(t, rapid.SampledFrom(list).Draw(t, "puzzle").fen)
		lim := engine.Limits{Nodes: rapid.Int64Range(500, 30_000).Draw(t, "nodes"), Lines: rapid.IntRange(1, 5).Draw(t, "lines")}
		e.Forget()
		hints, err := engine.Best(t.Context(), e, pos, lim)
		if err != nil {
			t.Fatal(err)
		}
		for i, line := range hints {
			if _, ok := line.Score.Mate(); !ok {
				continue
			}
			mates++
			if wholeMate(t, pos, line, i) {
				whole++
			}
		}
	})
	if t.Logf("%d of %d lines are whole", whole, mates); 10*whole < 9*mates {
		t.Errorf("%d of %d lines go to the mate, want nine in ten", whole, mates)
	}
}

// wholeMate reports whether a line with a mate score ends in mate.
func wholeMate(t *rapid.T, pos engine.Position, line engine.Line, i int) bool {
	n, _ := line.Score.Mate()
	plies := max(2*n-1, -2*n)
	for _, m := range line.Moves {
		pos = play(t, pos, m)
	}
	over := pos.Result().Over()
	if len(line.Moves) > plies || over != (len(line.Moves) == plies) {
		t.Errorf("line %d, %v: %d moves, over: %v", i+1, line.Score, len(line.Moves), over)
	}
	return over
}

// middleGames returns count positions of real games, spread evenly over the file.
func middleGames(tb testing.TB, count int) []engine.Position {
	tb.Helper()
	data := os.Getenv("QHSH_DATA")
	if data == "" {
		tb.Skip("QHSH_DATA is not set: no middle games to search")
	}
	file, err := os.Open(filepath.Join(data, "positions", "bestmoves.epd"))
	if err != nil {
		tb.Fatal(err)
	}
	defer file.Close()
	var all []engine.Position
	for lines := bufio.NewScanner(file); lines.Scan(); {
		fen, _, _ := strings.Cut(lines.Text(), " bm ")
		if pos, err := xiangqi.ParseFEN(fen); err == nil && middleGame(pos) {
			all = append(all, pos)
		}
	}
	list := make([]engine.Position, count)
	for i := range list {
		list[i] = all[i*len(all)/count]
	}
	return list
}

// middleGame reports whether a position is neither an opening nor an endgame: 16 to 28 pieces are
// left, and the side to move is not in check.
func middleGame(p *xiangqi.Position) bool {
	n := p.Board().Occupied().Count()
	return 16 <= n && n <= 28 && !p.InCheck() && len(p.LegalMoves()) >= 20
}

// BenchmarkLines searches 20 real middle games for one line and for five, to the same depth.
// x-nodes and x-time are the cost of five lines relative to one, the median over the positions.
func BenchmarkLines(b *testing.B) {
	e := newEngine(b, search.DefaultOptions())
	list := middleGames(b, 20)
	for _, depth := range []int{10, 12} {
		b.Run(map[int]string{10: "depth10", 12: "depth12"}[depth], func(b *testing.B) {
			var nodes, times []float64
			for b.Loop() {
				for _, pos := range list {
					n, t := costOfLines(b, e, pos, depth)
					nodes, times = append(nodes, n), append(times, t)
				}
			}
			slices.Sort(nodes)
			slices.Sort(times)
			b.ReportMetric(nodes[len(nodes)/2], "x-nodes")
			b.ReportMetric(times[len(times)/2], "x-time")
		})
	}
}

// costOfLines returns the nodes and the time of five lines relative to one line.
func costOfLines(b *testing.B, e *search.Engine, pos engine.Position, depth int) (nodes, times float64) {
	var n [2]int64
	var t [2]time.Duration
	for i, lines := range [...]int{1, 5} {
		e.Forget()
		start := time.Now()
		n[i] = spent(b, e, pos, engine.Limits{Depth: depth, Lines: lines})
		t[i] = time.Since(start)
	}
	return float64(n[1]) / float64(n[0]), float64(t[1]) / float64(t[0])
}
