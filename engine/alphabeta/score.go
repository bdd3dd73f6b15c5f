package alphabeta

import "qhsh/engine"

// Scores are for the side to move, in hundredths of what the game counts in.
const (
	Infinity  = 32000
	Win       = 31000      // minus the number of plies to the win
	ProvenWin = Win - 1000 // the minimum score of a proven win
)

// engineScore converts a score to an engine.Score.
func engineScore(n int) engine.Score {
	switch {
	case n >= ProvenWin:
		return engine.MateIn((Win - n + 1) / 2)
	case n <= -ProvenWin:
		return engine.MateIn(-(Win + n + 1) / 2)
	}
	return engine.Centipawns(n)
}

// Win distances count from the root in a search, and from the position in the table.

func scoreToTable(score, ply int) int {
	switch {
	case score >= ProvenWin:
		return score + ply
	case score <= -ProvenWin:
		return score - ply
	}
	return score
}

func scoreFromTable(score, ply int) int {
	switch {
	case score >= ProvenWin:
		return score - ply
	case score <= -ProvenWin:
		return score + ply
	}
	return score
}
