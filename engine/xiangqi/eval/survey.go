package eval

import "qhsh/engine/xiangqi"

// A survey is what an evaluation sees of a board: how many pieces there are, and what
// each side attacks or protects. What cannons attack is what they would take, not
// where they slide.
type survey struct {
	board  *xiangqi.Board
	occ    xiangqi.Bitboard
	n      [2][8]int
	by     [2][8]xiangqi.Bitboard // attacked or protected by a kind
	all    [2]xiangqi.Bitboard    // by any
	slides [2]xiangqi.Bitboard    // empty points that a cannon slides to
}

// take looks at everything but rooks, cannons and horses, which are looked at one by
// one where their freedom is judged.
func (v *survey) take(b *xiangqi.Board, pieces census) {
	v.board, v.occ = b, b.Occupied()
	for s := xiangqi.Red; s <= xiangqi.Black; s++ {
		for k := xiangqi.Rook; k <= xiangqi.Pawn; k++ {
			v.n[s][k] = pieces.of(s, k)
		}
		v.by[s][xiangqi.King] = xiangqi.KingTargets(b.King(s))
		v.steps(s)
	}
}

// steps notes what a side's pawns and guards attack.
func (v *survey) steps(s xiangqi.Side) {
	var sq xiangqi.Square
	var hit xiangqi.Bitboard
	v.by[s][xiangqi.Pawn] = xiangqi.PawnReach(s, v.board.Pieces(s, xiangqi.Pawn))
	for set := v.board.Pieces(s, xiangqi.Advisor); !set.Empty(); {
		sq, set = set.Next()
		hit = hit.Or(xiangqi.AdvisorTargets(sq))
	}
	v.by[s][xiangqi.Advisor], hit = hit, xiangqi.Bitboard{}
	for set := v.board.Pieces(s, xiangqi.Elephant); !set.Empty(); {
		sq, set = set.Next()
		hit = hit.Or(xiangqi.ElephantTargets(sq, v.occ))
	}
	v.by[s][xiangqi.Elephant] = hit
}

// join sums up what a side attacks.
func (v *survey) join(s xiangqi.Side) {
	by := &v.by[s]
	v.all[s] = by[xiangqi.Rook].Or(by[xiangqi.Horse]).Or(by[xiangqi.Cannon]).Or(by[xiangqi.Pawn]).
		Or(by[xiangqi.Advisor]).Or(by[xiangqi.Elephant]).Or(by[xiangqi.King])
}
