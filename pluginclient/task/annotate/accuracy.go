package annotate

import (
	"math"

	"qhsh/engine"
)

// accuracyOf returns how accurate a move is that gives away a chance of winning from 0 to 1: 100 if nothing, as
// lichess.org has it.
func accuracyOf(loss float64) float64 { return min(max(103.1668*math.Exp(-4.354*loss)-3.1669, 0), 100) }

// accuracy returns how accurate the judged moves of a side are together, from 0 to 100, in a phase of the game or, if that
// is empty, in all of it; ok is false if there are none. It is the mean of two means, as in lila#15164: one in which moves
// count by how much the chances change around them, and the harmonic one, to which a single blunder matters.
func (a *Annotated) accuracy(side engine.Turn, phase string) (accuracy float64, ok bool) {
	weights := a.volatility()
	var sum, weight, inverse, n float64
	for i, p := range a.Plies[1:] {
		if p.Class == Unjudged || p.By != side || phase != "" && phase != a.phase(i+1) {
			continue
		}
		one := accuracyOf(p.Loss)
		sum, weight = sum+one*weights[i], weight+weights[i]
		inverse, n = inverse+1/one, n+1 // 1/0 makes the mean 0
	}
	return math.Round(5*(sum/weight+n/inverse)) / 10, n > 0 // so that all machines write the same
}

// volatility returns, of every move, the standard deviation of First's chances in the moves before it, in per cent: from 0.5 to 12. A
// window is a tenth of the game long, 2 to 8 positions; the first is that of all moves within it.
func (a *Annotated) volatility() []float64 {
	chances := make([]float64, len(a.Plies))
	last := .5
	for i := range a.Plies {
		if chance, ok := a.chanceOf(&a.Plies[i], engine.First); ok {
			last = chance
		}
		chances[i] = 100 * last
	}
	moves := len(a.Plies) - 1
	size := min(max(moves/10, 2), 8)
	all := make([]float64, moves)
	for i := range all {
		from := max(i+2-size, 0)
		window := chances[from:min(from+size, len(chances))]
		mean, square := 0.0, 0.0
		for _, c := range window {
			mean += c / float64(len(window))
		}
		for _, c := range window {
			square += (c - mean) * (c - mean) / float64(len(window))
		}
		all[i] = min(max(math.Sqrt(square), .5), 12)
	}
	return all
}

// openingPlies is how many moves of a game are its opening.
const openingPlies = 20

// phase returns the part of the game to which a move belongs: opening, middlegame, or endgame if the game's table tells
// one.
func (a *Annotated) phase(ply int) string {
	isEndgame := a.Options.Games.Row(a.Game.Start.Game()).Endgame
	switch {
	case ply <= openingPlies:
		return "opening"
	case isEndgame != nil && isEndgame(a.Plies[ply-1].Pos):
		return "endgame"
	}
	return "middlegame"
}
