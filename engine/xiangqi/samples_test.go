package xiangqi

import "testing"

// TestSamples: there are the start and ten middle games, no two alike, each with most of
// the pieces and a choice of moves.
func TestSamples(t *testing.T) {
	samples := Samples()
	if len(samples) != 11 || samples[0].String() != StartFEN {
		t.Fatalf("%d samples, the first %v", len(samples), samples[0])
	}
	seen := map[uint64]bool{}
	for _, p := range samples {
		if b := p.Board(); seen[p.Key()] || p.Result().Over() || b.Occupied().Count() < 18 || b.CountMoves() < 20 {
			t.Errorf("%v is no middle game of its own: %d pieces, %d moves", p, b.Occupied().Count(), b.CountMoves())
		}
		seen[p.Key()] = true
	}
}
