package eval

import "qhsh/engine/xiangqi"

// A pieceCounts is how many pieces there are, four bits for each Piece.
type pieceCounts uint64

func (c pieceCounts) of(s xiangqi.Side, k xiangqi.Kind) int {
	return int(c >> (4 * xiangqi.NewPiece(s, k) & 63) & 15)
}

// maxWinScale is the answer of winnable where nothing stands against a win.
const maxWinScale = 32

// winScale tells how much of Red's advantage v the leading side's material can turn
// into a win, in parts of allWinnable.
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
