package gamefile

import "qhsh/engine/xiangqi"

// A Filter says which positions are worth learning from: those whose score a static
// evaluation can be expected to find.
type Filter struct {
	MinPly   int // positions with fewer plies behind them, the opening's included, do not pass
	MaxScore int // in centipawns; nor do those with scores further from 0
}

// DefaultFilter passes what is past the opening and not yet decided.
func DefaultFilter() Filter { return Filter{MinPly: 16, MaxScore: 9999} }

// Passes reports whether a position passes: in addition, the side to move is not in check,
// the move played is no capture, and the position has not stood before.
func (f Filter) Passes(p Position) bool {
	return p.Ply() >= f.MinPly && p.Score.Within(f.MaxScore) &&
		p.At(p.Move.To()) == xiangqi.Empty && !p.InCheck() && p.Occurrences() == 0
}
