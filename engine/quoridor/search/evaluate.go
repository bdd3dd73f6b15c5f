package search

import (
	"qhsh/engine"
	"qhsh/engine/quoridor"
)

// Scores are hundredths of a step, for the side to move.
const (
	wonRace  = 20000 // a race that is as good as won, less 10 a step to run
	stepCost = 100   // a step of the way to the goal
	wallCost = 45    // a wall that is left
	tempo    = 50    // the right to move
	maxPly   = 96
)

// evaluate returns the score of a board for the side to move.
func evaluate(b *quoridor.Board) int {
	me, other := b.Turn(), b.Turn().Other()
	mine, others := b.Distance(me), b.Distance(other)
	if b.Walls(me) == 0 && b.Walls(other) == 0 {
		return raceScore(mine, others)
	}
	sum := stepCost*(others-mine) + walls(b, me) - walls(b, other) + tempo
	return max(-wonRace, min(wonRace, sum))
}

// raceScore returns the score of a race without walls, ignoring jumps, which can decide a close
// one.
func raceScore(mine, others int) int {
	switch {
	case mine < others-1:
		return wonRace - 10*mine
	case mine > others+1:
		return -wonRace + 10*others
	}
	return 10 * stepCost * (2*(others-mine) + 1)
}

// walls returns the value of a side's walls: the last ones are worth most, and those without free
// centres nothing.
func walls(b *quoridor.Board, side engine.Turn) int {
	n := min(b.Walls(side), (b.Size()-1)*(b.Size()-1))
	return wallCost*n + 60*min(n, 1)
}
