package eval

import "qhsh/engine/xiangqi"

// A census is how many pieces of each kind each side has.
type census struct{ n [2][8]int32 }

func (c *census) take(b *xiangqi.Board) {
	for s := xiangqi.Red; s <= xiangqi.Black; s++ {
		for k := xiangqi.Rook; k <= xiangqi.Pawn; k++ {
			c.n[s][k] = int32(b.Pieces(s, k).Count())
		}
	}
}

// terms are what the tables cannot see, Red's less Black's.
func (c *census) terms(b *xiangqi.Board) (full, bare int32) {
	occ := b.Occupied()
	rf, rb := c.side(b, xiangqi.Red, occ)
	bf, bb := c.side(b, xiangqi.Black, occ)
	return rf - bf, rb - bb
}

func (c *census) side(b *xiangqi.Board, s xiangqi.Side, occ xiangqi.Bitboard) (full, bare int32) {
	free := xiangqi.Full().AndNot(b.OccupiedBy(s))
	full, bare = freedom(b, s, occ, free)
	full += bearing(b, s, occ) - c.exposure(s)
	bare -= c.exposure(s) / 2
	return full, bare
}

// horseFreedom is the worth of a horse by the number of points that it reaches.
var horseFreedom = [9]int32{-45, -24, -9, 0, 5, 9, 12, 15, 17}

// freedom is what the mobility of a side's rooks and horses is worth.
func freedom(b *xiangqi.Board, s xiangqi.Side, occ, free xiangqi.Bitboard) (full, bare int32) {
	for set := b.Pieces(s, xiangqi.Rook); !set.Empty(); {
		var sq xiangqi.Square
		sq, set = set.Next()
		n := int32(xiangqi.RookTargets(sq, occ).And(free).Count())
		full += 3*n - 24
		bare += 2*n - 16
	}
	for set := b.Pieces(s, xiangqi.Horse); !set.Empty(); {
		var sq xiangqi.Square
		sq, set = set.Next()
		n := xiangqi.HorseTargets(sq, occ).And(free).Count()
		full += horseFreedom[n]
		bare += horseFreedom[n]
	}
	return full, bare
}

// bearing is what a side's cannons are worth that stand on a line with the enemy
// king: with nothing between, nobody may step in (the empty-headed cannon); with
// two pieces between, neither may leave.
func bearing(b *xiangqi.Board, s xiangqi.Side, occ xiangqi.Bitboard) int32 {
	king := b.King(s.Other())
	aimed := b.Pieces(s, xiangqi.Cannon).And(xiangqi.RookTargets(king, xiangqi.Bitboard{}))
	v := int32(0)
	for !aimed.Empty() {
		var sq xiangqi.Square
		sq, aimed = aimed.Next()
		switch xiangqi.Between(sq, king).And(occ).Count() {
		case 0:
			v += 60
		case 2:
			v += 14
		}
	}
	return v
}

// exposure is what the lack of guards costs a side, by what can exploit it: a
// missing advisor opens the palace to rooks, horses and pawns, a missing elephant
// lets cannons and pawns in.
func (c *census) exposure(s xiangqi.Side) int32 {
	own, foe := &c.n[s], &c.n[s.Other()]
	advisors := 2 - own[xiangqi.Advisor]
	elephants := 2 - own[xiangqi.Elephant]
	v := advisors * (13*foe[xiangqi.Rook] + 7*foe[xiangqi.Horse] + 3*foe[xiangqi.Pawn])
	return v + elephants*(4*foe[xiangqi.Rook]+8*foe[xiangqi.Cannon]+3*foe[xiangqi.Pawn])
}

// winnable takes from Red's advantage v what the leading side's material cannot
// turn into a win.
func (c *census) winnable(v int32) int32 {
	leader := xiangqi.Red
	if v < 0 {
		leader = xiangqi.Black
	}
	own, foe := &c.n[leader], &c.n[leader.Other()]
	if own[xiangqi.Rook]+own[xiangqi.Pawn] > 0 {
		return v
	}
	guards := own[xiangqi.Advisor] + own[xiangqi.Elephant]
	walls := foe[xiangqi.Advisor] + foe[xiangqi.Elephant]
	switch horses, cannons := own[xiangqi.Horse], own[xiangqi.Cannon]; {
	case horses+cannons == 0:
		return v / 32
	case horses == 0 && guards == 0: // nothing to jump over
		return v / 8
	case horses+cannons == 1 && walls >= 2:
		return v / 4
	}
	return v
}
