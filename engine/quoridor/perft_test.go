package quoridor_test

import (
	"sync/atomic"
	"testing"

	"qhsh/engine/enginetest"
	"qhsh/engine/quoridor"
)

// counts are from section 4.1 of the rules, which the engine and the referee of the protocol's
// authors were checked against: one count for each depth, from 1 on.
var counts = []struct {
	rules quoridor.Rules
	nodes []int64
}{
	{quoridor.Rules{Size: 9, Walls: 10}, []int64{131, 16677, 2062264}},
	{quoridor.Rules{Size: 7, Walls: 5}, []int64{75, 5357, 363872}},
	{quoridor.Rules{Size: 5, Walls: 3}, []int64{35, 1109, 31540, 794442}},
	{quoridor.Rules{Size: 3, Walls: 0}, []int64{3, 9, 20, 48, 108, 266, 576, 1342}},
	{quoridor.Rules{Size: 3, Walls: 1}, []int64{11, 77, 316, 1172, 3452, 9002}},
	{quoridor.Rules{Size: 3, Walls: 2}, []int64{11, 77, 380, 1528, 5378, 16392}},
}

func TestPerft(t *testing.T) {
	enginetest.SkipUnderRace(t)
	for _, c := range counts {
		for i, want := range c.nodes {
			b := quoridor.NewBoard(c.rules)
			if got := quoridor.PerftUntil(quoridor.NewPosition(b), i+1, new(atomic.Bool)); got != want {
				t.Errorf("%v: perft %d is %d, want %d", c.rules, i+1, got, want)
			}
		}
	}
}

func BenchmarkPerft(b *testing.B) {
	var nodes int64
	for b.Loop() {
		board := quoridor.NewBoard(quoridor.Default)
		nodes += quoridor.PerftUntil(quoridor.NewPosition(board), 3, new(atomic.Bool))
	}
	b.ReportMetric(float64(nodes)/b.Elapsed().Seconds(), "nodes/s")
}

// TestSamples: the positions used for benchmarks exist on boards of any size, are not over, and do
// not change between versions.
func TestSamples(t *testing.T) {
	for size := quoridor.MinSize; size <= quoridor.MaxSize; size++ {
		rules := quoridor.Rules{Size: size, Walls: quoridor.DefaultWalls(size)}
		samples := quoridor.Samples(rules)
		if len(samples) != 11 {
			t.Errorf("%d samples of size %d", len(samples), size)
		}
		for i, p := range samples {
			if p.Result().Over() || p.Game() != rules {
				t.Errorf("sample %d of size %d: %v", i, size, p)
			}
		}
	}
	samples := quoridor.Samples(quoridor.Default)
	if got, want := samples[10].String(), "9 w D5/8 D4/8 E5h,D2v,E8v,D9v"; got != want {
		t.Errorf("the last sample is %s, want %s", got, want)
	}
}
