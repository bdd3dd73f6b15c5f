package eval

import "qhsh/engine/xiangqi"

// An attackMap has the number of pieces and the points that each side attacks or protects. The
// attacks of cannons are captures; moves without capture are in slides.
type attackMap struct {
	board  *xiangqi.Board
	occ    xiangqi.Bitboard
	counts [2][8]int
	by     [2][8]xiangqi.Bitboard // attacked or protected by a kind
	all    [2]xiangqi.Bitboard    // by any
	slides [2]xiangqi.Bitboard    // empty points that a cannon slides to
}

// init computes everything except the attacks of rooks, cannons and horses, which are computed with
// their mobility.
func (v *attackMap) init(b *xiangqi.Board, pieces pieceCounts) {
	v.board, v.occ = b, b.Occupied()
	for s := xiangqi.Red; s <= xiangqi.Black; s++ {
		for k := xiangqi.Rook; k <= xiangqi.Pawn; k++ {
			v.counts[s][k] = pieces.of(s, k)
		}
		v.by[s][xiangqi.King] = xiangqi.KingTargets(b.King(s))
		v.addPawnsAndGuards(s)
	}
}

// addPawnsAndGuards computes the attacks of a side's pawns and guards.
func (v *attackMap) addPawnsAndGuards(s xiangqi.Side) {
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

// unite computes the union of a side's attacks.
func (v *attackMap) unite(s xiangqi.Side) {
	by := &v.by[s]
	v.all[s] = by[xiangqi.Rook].Or(by[xiangqi.Horse]).Or(by[xiangqi.Cannon]).Or(by[xiangqi.Pawn]).
		Or(by[xiangqi.Advisor]).Or(by[xiangqi.Elephant]).Or(by[xiangqi.King])
}
