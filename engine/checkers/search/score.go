package search

import "qhsh/engine"

// Scores are hundredths of a man, for the side to move.
const (
	infinity  = 32000
	winScore  = 31000           // minus the number of plies to the win
	provenWin = winScore - 1000 // the minimum score of a proven win
	maxEval   = 20000           // maximum of an evaluation
	maxPly    = 128
)

// engineScore converts a score to an engine.Score.
func engineScore(n int) engine.Score {
	switch {
	case n >= provenWin:
		return engine.MateIn((winScore - n + 1) / 2)
	case n <= -provenWin:
		return engine.MateIn(-(winScore + n + 1) / 2)
	}
	return engine.Centipawns(n)
}

// Win distances count from the root in a search, and from the position in the table.

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
