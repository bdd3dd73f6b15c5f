package batch

import "qhsh/engine"

// DefaultScale is engine.DefaultScale.
const DefaultScale = engine.DefaultScale

// WinChance is the Chance of a score.
func WinChance(s engine.Score, scale float64) (chance float64, ok bool) { return s.Chance(scale) }
