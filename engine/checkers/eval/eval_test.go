package eval

import (
	"bytes"
	"math/rand/v2"
	"os"
	"testing"

	"qhsh/engine/checkers"
	"qhsh/engine/fitting"
)

// TestExplain: the features of a board add up to its evaluation.
func TestExplain(t *testing.T) {
	for _, v := range checkers.Variants() {
		weights := Tuned(v)
		random := rand.New(rand.NewPCG(uint64(v), 1))
		pos := checkers.NewPosition(checkers.NewBoard(v))
		for range 200 {
			board := pos.Board()
			got, want := For(v).Evaluate(&board), sum(Explain(&board), weights)
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

func sum(s fitting.Sample, weights []fitting.Weight) float64 {
	total := 0.0
	for i, f := range s.Feature {
		w := weights[f]
		total += float64(s.Count[i]) * (float64(w.Full)*float64(s.Phase) + float64(w.Bare)*float64(1-s.Phase))
	}
	return total * float64(s.Factor)
}

// TestWriteWeights: weights.go is the output of the command.
func TestWriteWeights(t *testing.T) {
	all := map[checkers.Variant][]fitting.Weight{}
	for _, v := range checkers.Variants() {
		all[v] = Tuned(v)
	}
	var got bytes.Buffer
	if err := WriteWeights(&got, all); err != nil {
		t.Fatal(err)
	}
	if want, err := os.ReadFile("weights.go"); err != nil || got.String() != string(want) {
		t.Errorf("weights.go is not as it would be written: %v", err)
	}
}
