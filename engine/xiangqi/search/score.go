package search

import (
	"qhsh/engine"
	"qhsh/engine/xiangqi/eval"
)

// Inside the search a score is an int for the side to move: centipawns up to eval.Limit, and two
// bands above that.
//
// A mate is mateScore minus the plies from the root to it. A game won because the other side
// repeats a perpetual check or chase is ruleScore minus the plies: better than any number of
// centipawns, worse than any mate. It is valid only on the path that led there, so it is not stored
// in the table.
const (
	infinity  = 32000
	mateScore = 30000
	ruleScore = 28000
	mateBand  = mateScore - 2*maxPly // mates are at or above it
	ruleBand  = ruleScore - 2*maxPly // wins by rule are at or above it
)

// The bands do not overlap each other or the evaluation: a negative constant would not compile.
const (
	_ uint = mateBand - ruleScore - 1
	_ uint = ruleBand - eval.Limit - 1
)

// matedIn returns the score of a side that is mated at ply.
func matedIn(ply int) int { return ply - mateScore }

// isMate reports whether a score is a mate for either side.
func isMate(v int) bool { return v >= mateBand || v <= -mateBand }

// isDecided reports whether a score is a mate or a game decided by rule.
func isDecided(v int) bool { return v >= ruleBand || v <= -ruleBand }

// isByRule reports whether a score is a game decided by rule.
func isByRule(v int) bool { return isDecided(v) && !isMate(v) }

// matePlies returns the distance in plies from the root to the mate.
func matePlies(v int) int { return mateScore - max(v, -v) }

// engineScore converts a root score: a mate to the winner's own moves, anything else to centipawns
// from -eval.Limit to eval.Limit. A game won by rule is eval.Limit, whatever its distance, because
// the distance is valid on one path only.
func engineScore(v int) engine.Score {
	switch {
	case v >= mateBand:
		return engine.MateIn((matePlies(v) + 1) / 2)
	case v <= -mateBand:
		return engine.MateIn(-matePlies(v) / 2)
	}
	return engine.Centipawns(min(max(v, -eval.Limit), eval.Limit))
}
