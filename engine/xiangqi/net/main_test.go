package net_test

import (
	"math/rand/v2"
	"strings"

	"pgregory.net/rapid"

	"qhsh/engine/xiangqi"
	"qhsh/engine/xiangqi/net"
)

// seeds are positions of each phase; in some a king is off its file.
var seeds = []string{
	xiangqi.StartFEN,
	"r1bakab1r/9/1cn1c1n2/p1p1p3p/6p2/2P6/P3P1P1P/1CN1C1N2/9/R1BAKABR1 b",
	"3ak4/4aP3/9/p7p/4R4/4C4/P3c3P/B3B4/4A4/3r1K3 w",
	"c2a1k3/2c1a2R1/b6P1/8p/9/9/9/9/4K4/9 w",
	"4k4/4a4/4b4/9/9/2B6/9/9/4A4/3AK1C2 b",
}

// anyBoard returns a board after random moves from one of the seeds.
func anyBoard(t *rapid.T) *xiangqi.Board {
	p, err := xiangqi.ParseFEN(rapid.SampledFrom(seeds).Draw(t, "fen"))
	if err != nil {
		t.Fatal(err)
	}
	b := p.Board()
	for _, n := range rapid.SliceOfN(rapid.IntRange(0, 1<<16), 0, 40).Draw(t, "moves") {
		legal := b.AppendMoves(nil)
		if len(legal) == 0 {
			break
		}
		b.Do(legal[n%len(legal)])
	}
	return b
}

// boardOf returns a board with these pieces.
func boardOf(t rapid.TB, at func(xiangqi.Square) xiangqi.Piece, side xiangqi.Side) *xiangqi.Board {
	t.Helper()
	var fen strings.Builder
	for rank := 9; rank >= 0; rank-- {
		for file := range 9 {
			fen.WriteByte("1RNBAKCP1rnbakcp"[at(xiangqi.Square(rank*9+file))])
		}
		if rank > 0 {
			fen.WriteByte('/')
		}
	}
	fen.WriteString([]string{" w", " b"}[side])
	p, err := xiangqi.ParseFEN(fen.String())
	if err != nil {
		t.Fatalf("%s: %v", &fen, err)
	}
	return p.Board()
}

// exchanged returns the board with the colours exchanged and the side to move with them.
func exchanged(t rapid.TB, b *xiangqi.Board) *xiangqi.Board {
	t.Helper()
	return boardOf(t, func(sq xiangqi.Square) xiangqi.Piece {
		if p := b.At(sq.Turned()); p != xiangqi.Empty {
			return xiangqi.NewPiece(p.Side().Other(), p.Kind())
		}
		return xiangqi.Empty
	}, b.Side().Other())
}

// arbitrary returns valid weights that are drawn at random, with the largest among them.
func arbitrary(hidden int, seed uint64) *net.Weights {
	r := rand.New(rand.NewPCG(seed, 1))
	w := net.NewWeights(hidden)
	w.Name, w.Note = "arbitrary", "drawn at random"
	fill := func(values []int16, limit int) {
		for i := range values {
			values[i] = int16(r.IntN(2*limit+1) - limit)
		}
	}
	fill(w.Bias, net.MaxFeature)
	fill(w.Feature, net.MaxFeature/4)
	fill(w.Output, net.MaxOutput)
	for i := range w.OutputBias {
		w.OutputBias[i] = int32(r.IntN(20000) - 10000)
	}
	w.Feature[0], w.Feature[1] = net.MaxFeature, -net.MaxFeature
	return w
}
