package train

import (
	"math"
	"slices"
	"sort"

	"qhsh/engine"
	"qhsh/engine/lab/gamefile"
)

// usualChances are the winning chances that the embedded engine's scores stand for.
var usualChances = newChances(engine.DefaultScale)

func chanceOf(score gamefile.Score) float64 { return float64(usualChances[int(score)-math.MinInt16]) }

// scoreOf returns the least score that stands for a chance, in centipawns.
func scoreOf(chance float64) gamefile.Score {
	const most = gamefile.RuleScore
	return gamefile.Score(sort.Search(2*most, func(i int) bool { return chanceOf(gamefile.Score(i-most)) >= chance }) - most)
}

// lookAhead returns the scores of a game's positions, each mixed with those after it: the chance of winning has a
// share of that in the next position, as mixed there, and so on. A score that comes later in the game has
// been searched further ahead of a position, and the mean of several is more exact than one (TD(lambda), Sutton
// 1988). An unknown score stays so, and the mixture passes it by.
func lookAhead(g *gamefile.Game, share float64) []gamefile.Score {
	scores := make([]gamefile.Score, len(g.Plies))
	next, known := 0.0, false // chance of the side to move in the position after
	for i, p := range slices.Backward(g.Plies) {
		scores[i] = p.Score
		switch chance := chanceOf(p.Score); {
		case p.Score == gamefile.Unknown:
			next = 1 - next
		case known && share > 0:
			next = chance + float64(share*(1-next-chance))
			scores[i] = scoreOf(next)
		default:
			next, known = chance, true
		}
	}
	return scores
}
