package search_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"qhsh/engine"
	"qhsh/engine/enginetest"
	"qhsh/engine/xiangqi"
	"qhsh/engine/xiangqi/endings"
	"qhsh/engine/xiangqi/search"
)

// TestEndings searches positions of a table, and others a capture away from it: mates are the shortest, and
// their lines go to the end.
func TestEndings(t *testing.T) {
	enginetest.SkipUnderRace(t)
	tables := endings.Open("")
	m, err := endings.ParseMaterial("KRKA")
	if err != nil {
		t.Fatal(err)
	}
	o := search.DefaultOptions()
	o.Endings = tables
	e, err := search.New(o)
	if err != nil {
		t.Fatal(err)
	}
	dice := rand.New(rand.NewPCG(1, 2))
	mates, draws := 0, 0
	for mates < 100 || draws < 2 {
		var squares [90]xiangqi.Piece
		for _, letter := range []byte("KRka") {
			piece := xiangqi.PieceOf(letter)
			home := slices.Collect(xiangqi.Home(piece.Side(), piece.Kind()).All())
			squares[home[dice.IntN(len(home))]] = piece
		}
		p, err := xiangqi.ParseFEN(xiangqi.BoardFEN(&squares, xiangqi.Side(dice.IntN(2))))
		if err != nil || endings.MaterialOf(p.Board()) != m || p.Result().Outcome != engine.Ongoing {
			continue
		}
		want, err := tables.Query(p, xiangqi.Asian)
		if err != nil {
			t.Fatal(err)
		}
		var lines []engine.Line
		for found, err := range e.Search(t.Context(), p, engine.Limits{Nodes: 3000}) {
			if err != nil {
				t.Fatal(err)
			}
			lines = found
		}
		if want.Plies == nil {
			draws++
			if lines[0].Score != engine.Centipawns(0) {
				t.Errorf("%v: %v, want a draw", p, lines[0].Score)
			}
			continue
		}
		mates++
		score := engine.MateIn((*want.Plies + 1) / 2)
		if *want.Plies%2 == 0 {
			score = engine.MateIn(-*want.Plies / 2)
		}
		if lines[0].Score != score || len(lines[0].Moves) != *want.Plies {
			t.Fatalf("%v: %v in %d moves, want %v", p, lines[0].Score, len(lines[0].Moves), score)
		}
		last := engine.Position(p)
		for _, move := range lines[0].Moves {
			if last, err = last.Play(move); err != nil {
				t.Fatal(err)
			}
		}
		if last.Result().Outcome == engine.Ongoing {
			t.Errorf("%v: the line does not end in mate", p)
		}
	}
}
