package eval

import "qhsh/engine/xiangqi"

// allWinnable is the answer of winnable where nothing stands against a win.
const allWinnable = 32

// winnable tells how much of Red's advantage v the leading side's material can turn
// into a win, in parts of allWinnable.
func (s *survey) winnable(v int32) int32 {
	leader := xiangqi.Red
	if v < 0 {
		leader = xiangqi.Black
	}
	own, foe := &s.n[leader], &s.n[leader.Other()]
	if own[xiangqi.Rook]+own[xiangqi.Pawn] > 0 {
		return allWinnable
	}
	guards := own[xiangqi.Advisor] + own[xiangqi.Elephant]
	walls := foe[xiangqi.Advisor] + foe[xiangqi.Elephant]
	switch horses, cannons := own[xiangqi.Horse], own[xiangqi.Cannon]; {
	case horses+cannons == 0:
		return allWinnable / 32
	case horses == 0 && guards == 0: // nothing to jump over
		return allWinnable / 8
	case horses+cannons == 1 && walls >= 2:
		return allWinnable / 4
	}
	return allWinnable
}
