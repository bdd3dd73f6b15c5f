package checkers

import (
	"fmt"
	"sync/atomic"
	"testing"

	"qhsh/engine/enginetest"
)

// published are the counts from the start, by variant, from depth 1 on.
var published = [numVariants][]int64{
	English:   {7, 49, 302, 1469, 7361, 36768, 179740, 845931, 3963680, 18391564, 85242128},
	Italian:   {7, 49, 302, 1469, 7361, 36473, 177532, 828783, 3860875, 17761384, 81647058},
	Spanish:   {7, 49, 302, 1469, 7361, 36473, 177532, 828783, 3860866, 17743464, 81383200},
	Russian:   {7, 49, 302, 1469, 7482, 37986, 190146, 929899, 4570586, 22444032, 110917189},
	Brazilian: {7, 49, 302, 1469, 7473, 37628, 187302, 907830, 4431766, 21560022, 105491257},
}

func TestPerft(t *testing.T) {
	enginetest.SkipUnderRace(t)
	const depth = 9
	for _, v := range Variants() {
		b := NewBoard(v)
		for d, want := range published[v][:depth] {
			if got := PerftUntil(NewPosition(b), d+1, new(atomic.Bool)); got != want {
				t.Errorf("%v at depth %d: %d, want %d", v, d+1, got, want)
			}
		}
	}
}

// TestItalianPriority counts published positions in which the Italian rules on which capture is
// compulsory decide.
func TestItalianPriority(t *testing.T) {
	for _, c := range []struct {
		fen  string
		want []int64
	}{
		{"W:W30,26,27,22,23,24,17,18,20:B14,15,16,9,11,5,6,1,3", []int64{5, 13, 42, 107, 360, 1099, 3736}},
		{"B:W30,21,22,17,20,K6:B25,28,9,5,1,3", []int64{6, 47, 271, 1916, 10810, 73137}},
		{"W:WK27,K28,17,20,9,K12,8:B21,24,K19,K13,14,K11,4", []int64{13, 112, 828, 6756, 46241, 368908}},
	} {
		b, err := ParseBoard(Italian, c.fen)
		if err != nil {
			t.Fatal(err)
		}
		for d, want := range c.want {
			if got := PerftUntil(NewPosition(b), d+1, new(atomic.Bool)); got != want {
				t.Errorf("%s at depth %d: %d, want %d", c.fen, d+1, got, want)
			}
		}
	}
}

func BenchmarkPerft(b *testing.B) {
	const depth = 11
	for _, v := range Variants() {
		b.Run(fmt.Sprint(v), func(b *testing.B) {
			for b.Loop() {
				board := NewBoard(v)
				if got := PerftUntil(NewPosition(board), depth, new(atomic.Bool)); got != published[v][depth-1] {
					b.Fatalf("%d, want %d", got, published[v][depth-1])
				}
			}
			b.ReportMetric(float64(published[v][depth-1])*float64(b.N)/b.Elapsed().Seconds(), "moves/s")
		})
	}
}
