package xiangqi

import "testing"

// TestSamples: Samples are the start position and ten different middle games, each with most of
// the pieces and several moves.
func TestSamples(t *testing.T) {
	samples := Samples()
	if len(samples) != 11 || samples[0].String() != StartFEN {
		t.Fatalf("%d samples, the first %v", len(samples), samples[0])
	}
	seen := map[uint64]bool{}
	for _, p := range samples {
		if b := p.Board(); seen[p.Key()] || p.Result().Over() || b.Occupied().Count() < 18 || b.CountMoves() < 20 {
			t.Errorf("%v repeats another sample or is not a middle game: %d pieces, %d moves", p, b.Occupied().Count(), b.CountMoves())
		}
		seen[p.Key()] = true
	}
}
