package search_test

import (
	"context"
	"testing"

	"qhsh/engine"
	"qhsh/engine/xiangqi"
	"qhsh/engine/xiangqi/search"
)

// TestNarrate: each iteration tells its root moves from the first on, a window that is left tells a bound, and
// what is told changes no search.
func TestNarrate(t *testing.T) {
	const nodes = 200_000
	pos := xiangqi.Samples()[3]
	answer := func(listen bool) (line engine.Line, moves, bounds int) {
		e, err := search.New(search.DefaultOptions())
		if err != nil {
			t.Fatal(err)
		}
		if listen {
			last := engine.Progress{}
			e.Narrate(1000, func(p engine.Progress) {
				switch {
				case p.Number == 0 && (p.Bound.Text == "lowerbound" || p.Bound.Text == "upperbound") && p.Bound.Score.Known():
					bounds++
				case p.Number == 1 || p.Number == last.Number+1 && p.Depth == last.Depth || moves == 0:
					moves++
				default:
					t.Errorf("%+v after %+v", p, last)
				}
				last = p
			})
		}
		best, err := engine.Best(context.Background(), e, pos, engine.Limits{Nodes: nodes})
		if err != nil {
			t.Fatal(err)
		}
		return best[0], moves, bounds
	}
	heard, moves, bounds := answer(true)
	alone, _, _ := answer(false)
	if heard.Score != alone.Score || heard.Nodes != alone.Nodes || heard.Move() != alone.Move() {
		t.Errorf("%+v with a listener, %+v without", heard, alone)
	}
	if moves == 0 || bounds == 0 {
		t.Errorf("%d moves and %d bounds told", moves, bounds)
	}
}

// TestEvaluate: the static evaluation is that of the side to move, and unknown in check.
func TestEvaluate(t *testing.T) {
	e, err := search.New(search.DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	for fen, want := range map[string]int{
		"3ak4/9/9/9/9/9/9/9/4R4/4K4 b - - 0 1": 0, // in check
		"3k5/9/9/9/9/9/9/9/4R4/4K4 w - - 0 1":  1,
		"3k5/9/9/9/9/9/9/9/4R4/4K4 b - - 0 1":  -1,
	} {
		pos, err := xiangqi.ParseFEN(fen)
		if err != nil {
			t.Fatal(err)
		}
		score, err := e.Evaluate(pos)
		if err != nil || score.Known() != (want != 0) || want != 0 && score.Compare(engine.Centipawns(0)) != want {
			t.Errorf("%s: %v, %v", fen, score, err)
		}
	}
}
