package gamefile

import (
	"math"

	"qhsh/engine"
	"qhsh/engine/xiangqi/eval"
)

// A Score is an engine.Score in 16 bits, for the side to move:
//
//	-20000 to 20000        centipawns; the ends also stand for a game won or lost because
//	                       a side repeats a perpetual check or chase
//	32000-n and -32000+n   a mate in n of the winner's own moves, n up to 11,999
//	-32768                 unknown
//
// Scores are ordered as engine.Score orders them.
type Score int16

const (
	// mateScore is the score of a side that has mated. A mate in n moves is n less.
	mateScore = 32000
	// RuleScore is the score of a game won by the rules on repetition, and the maximum of other
	// scores in centipawns.
	RuleScore = eval.Limit
	// Unknown is no score.
	Unknown Score = math.MinInt16
)

// maxMate is the maximum number of moves to mate, so that mates and centipawns stay distinct.
const maxMate = mateScore - RuleScore - 1

// NewScore converts a score to 16 bits. Centipawns are clamped to RuleScore.
func NewScore(s engine.Score) Score {
	if cp, ok := s.Centipawns(); ok {
		return Score(max(-RuleScore, min(RuleScore, cp)))
	}
	n, ok := s.Mate()
	switch {
	case !ok:
		return Unknown
	case s.Compare(engine.Centipawns(0)) > 0:
		return Score(mateScore - min(n, maxMate))
	}
	return Score(-mateScore + min(-n, maxMate))
}

// Score converts s to an engine.Score.
func (s Score) Score() engine.Score {
	switch {
	case s == Unknown:
		return engine.Score{}
	case s == mateScore:
		return engine.MateIn(0).Neg()
	case s > RuleScore:
		return engine.MateIn(mateScore - int(s))
	case s < -RuleScore:
		return engine.MateIn(-mateScore - int(s))
	}
	return engine.Centipawns(int(s))
}

// Neg returns the score for the other side.
func (s Score) Neg() Score {
	if s == Unknown {
		return s
	}
	return -s
}

// Within reports whether s is known and its absolute value is at most limit.
func (s Score) Within(limit int) bool {
	return s != Unknown && int(s) <= limit && int(s) >= -limit
}
