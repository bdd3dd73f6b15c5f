package eval

import "qhsh/engine/xiangqi"

// pieceCounts are the numbers of pieces, four bits for each Piece.
type pieceCounts uint64

func (c pieceCounts) of(s xiangqi.Side, k xiangqi.Kind) int {
	return int(c >> (4 * xiangqi.NewPiece(s, k) & 63) & 15)
}

// maxWinScale is the value of winScale for full winning chances.
const maxWinScale = 32

// winScale returns how much of Red's advantage v the leading side's material can convert into a
// win, as a fraction of maxWinScale.
func winScale(v int32, c pieceCounts) int32 {
	own, foe := xiangqi.Red, xiangqi.Black
	if v < 0 {
		own, foe = foe, own
	}
	if c.of(own, xiangqi.Rook)+c.of(own, xiangqi.Pawn) > 0 {
		return maxWinScale
	}
	guards := c.of(own, xiangqi.Advisor) + c.of(own, xiangqi.Elephant)
	walls := c.of(foe, xiangqi.Advisor) + c.of(foe, xiangqi.Elephant)
	switch horses, cannons := c.of(own, xiangqi.Horse), c.of(own, xiangqi.Cannon); {
	case horses+cannons == 0:
		return maxWinScale / 32
	case horses == 0 && guards == 0: // nothing to jump over
		return maxWinScale / 8
	case horses+cannons == 1 && walls >= 2:
		return maxWinScale / 4
	}
	return maxWinScale
}
