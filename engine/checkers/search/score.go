package search

import "qhsh/engine"

// Scores are hundredths of a man, for the side to move.
const (
	infinite = 32000
	win      = 31000      // less a point for every ply to it
	sure     = win - 1000 // from here on it is a proven win
	most     = 20000      // that the evaluation says
	maxPly   = 128
)

// score is a number as the contract has it.
func score(n int) engine.Score {
	switch {
	case n >= sure:
		return engine.MateIn((win - n + 1) / 2)
	case n <= -sure:
		return engine.MateIn(-(win + n + 1) / 2)
	}
	return engine.Centipawns(n)
}

// Wins are counted from the root in a search, and from the position in the table.

func toTable(score, ply int) int {
	switch {
	case score >= sure:
		return score + ply
	case score <= -sure:
		return score - ply
	}
	return score
}

func fromTable(score, ply int) int {
	switch {
	case score >= sure:
		return score - ply
	case score <= -sure:
		return score + ply
	}
	return score
}
