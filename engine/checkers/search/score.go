package search

import "qhsh/engine"

// Scores are hundredths of a man, for the side to move.
const (
	infinity  = 32000
	winScore  = 31000           // less a point for every ply to it
	provenWin = winScore - 1000 // from here on it is a proven win
	maxEval   = 20000           // that the evaluation says
	maxPly    = 128
)

// engineScore is a number as the contract has it.
func engineScore(n int) engine.Score {
	switch {
	case n >= provenWin:
		return engine.MateIn((winScore - n + 1) / 2)
	case n <= -provenWin:
		return engine.MateIn(-(winScore + n + 1) / 2)
	}
	return engine.Centipawns(n)
}

// Wins are counted from the root in a search, and from the position in the table.

func scoreToTable(score, ply int) int {
	switch {
	case score >= provenWin:
		return score + ply
	case score <= -provenWin:
		return score - ply
	}
	return score
}

func scoreFromTable(score, ply int) int {
	switch {
	case score >= provenWin:
		return score - ply
	case score <= -provenWin:
		return score + ply
	}
	return score
}
