package batch

import (
	"math"

	"qhsh/engine"
)

// The expected result of a score, by its size in centipawns, as the games of the embedded engine
// against itself have it: 715,395 positions of its network's games at 1,000 nodes a move. The chance of
// a win is 1/(1+e^((drawn-cp)/spread)), that of a loss the same for the other side; what is left is
// that of a draw. A single logistic function, as for games without draws, is too steep at small scores
// and too flat at large ones.
const (
	drawn  = 375.0
	spread = 245.0
)

// DefaultScale is the scale of the embedded engine's scores; see [WinChance].
const DefaultScale = 380

// WinChance returns the expected result, from 0 to 1, of a score; scale is the score in centipawns
// of a 73 % chance. ok is false for an unknown score.
func WinChance(s engine.Score, scale float64) (chance float64, ok bool) {
	if cp, ok := s.Centipawns(); ok {
		x := float64(cp) * DefaultScale / scale
		return (logistic((x-drawn)/spread) + logistic((x+drawn)/spread)) / 2, true
	}
	if !s.Known() {
		return 0, false
	}
	if s.Compare(engine.Centipawns(0)) > 0 {
		return 1, true
	}
	return 0, true
}

// logistic returns 1/(1+e^-x).
func logistic(x float64) float64 { return 1 / (1 + math.Exp(-x)) }
