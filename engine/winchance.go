package engine

import "math"

// DefaultScale is the scale of [Score.WinChance] that the weights of the embedded engine were fitted
// with.
const DefaultScale = 450

// WinChance returns the chance of winning, from 0 to 1, that a score is for its side, where
// scale centipawns are one of 73 %. An unknown score has none.
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
