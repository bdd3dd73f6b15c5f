package gamefile

import "qhsh/engine/xiangqi"

// The limits of positions for training.
const (
	minPly   = 16   // plies before the position, including the opening
	maxScore = 9999 // absolute score in centipawns: a position beyond is decided
)

// IsQuiet reports whether a static evaluation can predict the score of a position: it is known and not decided,
// the side to move is not in check, the move played is not a capture, and the position is not a repetition.
func (p Position) IsQuiet() bool {
	return p.Score.Within(maxScore) && p.At(p.Move.To()) == xiangqi.Empty && !p.InCheck() && p.Occurrences() == 0
}

// IsForTraining reports whether a position is one to train on: quiet, and after the opening.
func (p Position) IsForTraining() bool { return p.Ply() >= minPly && p.IsQuiet() }
