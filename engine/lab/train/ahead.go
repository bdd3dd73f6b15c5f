package train

import (
	"math"
	"sort"

	"qhsh/engine"
	"qhsh/engine/lab/gamefile"
)

// usualChances are the winning chances that the embedded engine's scores stand for.
var usualChances = newChances(engine.DefaultScale)

// ahead returns the scores of a game's positions, each mixed with those after it: the chance of winning has a
// share of that in the next position, as mixed there, and so on. A score that comes later in the game has
// been searched further ahead of a position, and the mean of several is more exact than one (TD(lambda), Sutton
// 1988).
func ahead(g *gamefile.Game, share float64) []gamefile.Score {
	scores := make([]gamefile.Score, len(g.Plies))
	var next float64 // chance of the side to move in the position after
	for i := len(scores) - 1; i >= 0; i-- {
		scores[i] = g.Plies[i].Score
		chance := float64(usualChances[int(scores[i])-math.MinInt16])
		if i < len(scores)-1 && share > 0 {
			chance += float64(share * (1 - next - chance))
			scores[i] = scoreOf(chance)
		}
		next = chance
	}
	return scores
}

// scoreOf returns the least score that stands for a chance.
func scoreOf(chance float64) gamefile.Score {
	n := len(usualChances)
	return gamefile.Score(sort.Search(n-1, func(i int) bool { return float64(usualChances[i]) >= chance }) + math.MinInt16)
}
