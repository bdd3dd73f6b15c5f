package search_test

import (
	"testing"

	"qhsh/engine"
	"qhsh/engine/xiangqi/search"
)

// benchPositions are an opening, a middle game and an endgame.
var benchPositions = []string{
	"rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1",
	"r1bakab1r/9/1cn1c1n2/p1p1p3p/6p2/2P6/P3P1P1P/1CN1C1N2/9/R1BAKABR1 b - - 0 1",
	"3ak4/4aP3/9/p7p/4R4/4C4/P3c3P/B3B4/4A4/3r1K3 w - - 0 1",
}

// BenchmarkSearch searches 100,000 nodes of each position. The allocations must not depend on the
// number of nodes.
func BenchmarkSearch(b *testing.B) {
	e := newEngine(b, search.DefaultOptions())
	nodes := int64(0)
	b.ReportAllocs()
	for b.Loop() {
		for _, fen := range benchPositions {
			e.Forget()
			nodes += spent(b, e, position(b, fen), engine.Limits{Nodes: 100_000})
		}
	}
	b.ReportMetric(float64(nodes)/b.Elapsed().Seconds(), "nodes/s")
}

// BenchmarkLevels measures the search of a file of positions at the lower levels: the engine
// forgets before each position.
func BenchmarkLevels(b *testing.B) {
	for _, level := range []string{"1", "3", "5"} {
		b.Run(level, func(b *testing.B) {
			e := newEngine(b, search.DefaultOptions())
			pos := position(b, benchPositions[1])
			b.ReportAllocs()
			for b.Loop() {
				e.Forget()
				spent(b, e, pos, engine.Limits{Level: int(level[0] - '0')})
			}
		})
	}
}

// spent runs a search and returns the number of nodes in the answer.
func spent(tb testing.TB, e *search.Engine, pos engine.Position, lim engine.Limits) int64 {
	answer, err := engine.Best(tb.Context(), e, pos, lim)
	if err != nil {
		tb.Fatal(err)
	}
	return answer[0].Nodes
}
