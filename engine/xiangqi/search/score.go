package search

import (
	"qhsh/engine"
	"qhsh/engine/xiangqi/eval"
)

// Inside the search a score is an int for the side to move: centipawns up to
// eval.Limit, and above that two bands.
//
// A mate is mateScore less the plies from the root to it. A game won because the
// other side repeats a perpetual check or chase is ruleScore less the plies: better
// than any number of centipawns, worse than any mate, and true on the path that led
// there only, which is why the table does not keep it.
const (
	infinity  = 32000
	mateScore = 30000
	ruleScore = 28000
	mateBand  = mateScore - 2*maxPly // mates are at or above it
	ruleBand  = ruleScore - 2*maxPly // wins by rule are at or above it
)

// The bands touch neither each other nor the evaluation: were one of these
// negative, it would not compile.
const (
	_ uint = mateBand - ruleScore - 1
	_ uint = ruleBand - eval.Limit - 1
)

// matedIn is the score of a side that is mated at ply.
func matedIn(ply int) int { return ply - mateScore }

// isMate reports whether a score is a mate for either side.
func isMate(v int) bool { return v >= mateBand || v <= -mateBand }

// isDecided reports whether a score is a mate or a game decided by rule.
func isDecided(v int) bool { return v >= ruleBand || v <= -ruleBand }

// matePlies is the distance from the root to the mate that a score tells of.
func matePlies(v int) int { return mateScore - max(v, -v) }

// engineScore is a root score as the contract wants it: a mate in the winner's own
// moves, everything else in centipawns from -eval.Limit to eval.Limit. A game won by
// rule is worth eval.Limit, however far it is: a round number that no material comes near,
// and that says nothing of a distance, which holds on one path only.
func engineScore(v int) engine.Score {
	switch {
	case v >= mateBand:
		return engine.MateIn((matePlies(v) + 1) / 2)
	case v <= -mateBand:
		return engine.MateIn(-matePlies(v) / 2)
	}
	return engine.Centipawns(min(max(v, -eval.Limit), eval.Limit))
}
