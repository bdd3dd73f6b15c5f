package eval

import "qhsh/engine/xiangqi"

// MaxWinScale is the value of WinScale for full winning chances.
const MaxWinScale = 32

// WinScale returns how much of its advantage the leading side's material can convert into a win, as
// a fraction of MaxWinScale.
func WinScale(b *xiangqi.Board, leader xiangqi.Side) int {
	if !b.Pieces(leader, xiangqi.Rook).Or(b.Pieces(leader, xiangqi.Pawn)).Empty() {
		return MaxWinScale
	}
	guards, walls := guardsOf(b, leader), guardsOf(b, leader.Other())
	horses, cannons := b.Pieces(leader, xiangqi.Horse).Count(), b.Pieces(leader, xiangqi.Cannon).Count()
	switch {
	case horses+cannons == 0:
		return MaxWinScale / 32
	case horses == 0 && guards == 0: // nothing to jump over
		return MaxWinScale / 8
	case horses+cannons == 1 && walls >= 2:
		return MaxWinScale / 4
	}
	return MaxWinScale
}

// guardsOf returns the number of a side's advisors and elephants.
func guardsOf(b *xiangqi.Board, s xiangqi.Side) int {
	return b.Pieces(s, xiangqi.Advisor).Or(b.Pieces(s, xiangqi.Elephant)).Count()
}
