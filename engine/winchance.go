package engine

import "math"

// DefaultScale is the scale of [Score.WinChance] used to tune the embedded engine's weights.
const DefaultScale = 450

// WinChance returns the expected result, from 0 to 1, of a score; scale is the score in centipawns
// of a 73 % chance. ok is false for an unknown score.
func (s Score) WinChance(scale float64) (chance float64, ok bool) {
	if cp, ok := s.Centipawns(); ok {
		return 1 / (1 + math.Exp(-float64(cp)/scale)), true
	}
	if !s.Known() {
		return 0, false
	}
	if s.Compare(Centipawns(0)) > 0 {
		return 1, true
	}
	return 0, true
}
