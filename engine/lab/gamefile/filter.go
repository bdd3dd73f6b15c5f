package gamefile

import "qhsh/engine/xiangqi"

// A Filter selects positions for training: those whose score a static evaluation can predict.
type Filter struct {
	MinPly   int // minimum number of plies before the position, including the opening
	MaxScore int // maximum absolute score in centipawns
}

// DefaultFilter passes positions after the opening that are not decided yet.
func DefaultFilter() Filter { return Filter{MinPly: 16, MaxScore: 9999} }

// Passes reports whether a position passes. The side to move must also not be in check, the move
// played not be a capture, and the position not be a repetition.
func (f Filter) Passes(p Position) bool {
	return p.Ply() >= f.MinPly && p.Score.Within(f.MaxScore) &&
		p.At(p.Move.To()) == xiangqi.Empty && !p.InCheck() && p.Occurrences() == 0
}
