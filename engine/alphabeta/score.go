package alphabeta

import "qhsh/engine"

// Scores are for the side to move, in hundredths of what the game counts in.
const (
	Infinity  = 32000
	Win       = 31000      // minus the number of plies to the win
	ProvenWin = Win - 1000 // the minimum score of a proven win
)

func engineScore(n int) engine.Score {
	switch {
	case n >= ProvenWin:
		return engine.MateIn((Win - n + 1) / 2)
	case n <= -ProvenWin:
		return engine.MateIn(-(Win + n + 1) / 2)
	}
	return engine.Centipawns(n)
}

// addPlies returns a score whose distance to a win counts from a node so many plies before. It counts
// from the root in a search, and from the position in the table.
func addPlies(score, plies int) int {
	switch {
	case score >= ProvenWin:
		return score - plies
	case score <= -ProvenWin:
		return score + plies
	}
	return score
}
