package engine

import (
	"iter"
	"math"
)

// Outcomes yields the moves of a position where Chance moves, with their odds: those of [Odds], or
// else equal ones.
func Outcomes(p Position) iter.Seq2[Move, float64] {
	return func(yield func(Move, float64) bool) {
		moves := p.Moves()
		known, ok := p.(Odds)
		for _, m := range moves {
			odds := 1 / float64(len(moves))
			if ok {
				odds = known.Odds(m)
			}
			if !yield(m, odds) {
				return
			}
		}
	}
}

// View returns a position as both sides see it: without what a [Concealer] hides.
func View(p Position) Position {
	if c, ok := p.(Concealer); ok {
		return c.View()
	}
	return p
}

// Perspective returns the side for which a position is scored: the side to move, or First if chance
// moves.
func (t Turn) Perspective() Turn {
	if t == Chance {
		return First
	}
	return t
}

// MateCentipawns is what a mate is worth where it is averaged or compared with other scores.
const MateCentipawns = 10_000

// Bounded returns a known score in hundredths of a pawn, at most MateCentipawns for either side.
func (s Score) Bounded() int {
	n := int(s.v)
	return max(-MateCentipawns, min(MateCentipawns, n))
}

// Expected returns the score of a position where Chance moves, by the odds and the scores of the
// outcomes, which are for the same side: their average, where a mate is worth MateCentipawns. If all
// outcomes win, or all lose, it is the longest mate. It is unknown if a score is.
func Expected(outcomes iter.Seq2[float64, Score]) Score {
	var sum float64
	var farthest Score
	wins, losses := true, true
	for odds, s := range outcomes {
		if !s.Known() {
			return Score{}
		}
		if odds == 0 {
			continue
		}
		sum += odds * float64(s.Bounded())
		wins = wins && s.isMate() && s.v > 0
		losses = losses && s.isMate() && s.v < 0
		if !farthest.Known() || wins && s.Compare(farthest) < 0 || losses && s.Compare(farthest) > 0 {
			farthest = s
		}
	}
	if wins || losses {
		return farthest // unknown if there is no outcome
	}
	return Centipawns(int(math.Round(sum)))
}
