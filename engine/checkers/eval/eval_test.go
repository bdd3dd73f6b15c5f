package eval

import (
	"math/rand/v2"
	"testing"

	"qhsh/engine/checkers"
)

// TestExplain: the features of a board add up to its evaluation.
func TestExplain(t *testing.T) {
	for _, v := range checkers.Variants() {
		weights := Tuned(v)
		random := rand.New(rand.NewPCG(uint64(v), 1))
		pos := checkers.NewPosition(checkers.NewBoard(v))
		for range 200 {
			board := pos.Board()
			got, want := New(weights).Evaluate(&board), sum(Explain(&board), weights)
			if board.Turn() == checkers.White {
				want = -want
			}
			if diff := float64(got) - want; diff > 1 || diff < -1 {
				t.Fatalf("%v %v: evaluated as %d, explained as %f", v, &board, got, want)
			}
			moves := pos.Moves()
			if len(moves) == 0 {
				pos = checkers.NewPosition(checkers.NewBoard(v))
				continue
			}
			next, err := pos.Do(checkers.Move(moves[random.IntN(len(moves))]))
			if err != nil {
				t.Fatal(err)
			}
			pos = next
		}
	}
}

func sum(t *Trace, weights []Weight) float64 {
	total := 0.0
	for f, w := range weights {
		total += float64(t.Count[f]) * (float64(w.Full)*float64(t.Phase) + float64(w.Bare)*float64(1-t.Phase))
	}
	return total * float64(t.Factor)
}
