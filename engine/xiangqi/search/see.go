package search

import (
	"qhsh/engine/xiangqi"
	"qhsh/engine/xiangqi/eval"
)

// seeGE reports whether the static exchange evaluation of a move is at least threshold centipawns:
// both sides continue to capture on the target point as long as it pays, least valuable piece
// first. Attackers behind others, and cannons that gain or lose their screen, are included as lines
// open; pins are ignored.
func (w *worker) seeGE(m xiangqi.Move, threshold int) bool { return seeGE(w.board, m, threshold) }

func seeGE(b *xiangqi.Board, m xiangqi.Move, threshold int) bool {
	from, to := m.From(), m.To()
	// swap is what the side that moved last is above threshold if the exchange stops here.
	swap := eval.Value(b.At(to).Kind()) - threshold
	if swap < 0 {
		return false
	}
	victimValue := eval.Value(b.At(from).Kind())
	if swap >= victimValue {
		return true // even if the piece is lost
	}
	occ := b.Occupied().AndNot(xiangqi.SquareBB(from)).Or(xiangqi.SquareBB(to))
	side, us := b.Side().Other(), b.Side()
	for {
		kind, at := leastValuableAttacker(b, side, to, occ)
		if kind == xiangqi.NoKind {
			return side != us
		}
		// The capturing side wins the piece on the point and risks its own.
		swap = victimValue - swap - 1
		if swap < 0 {
			return side != us // capturing does not change the result
		}
		victimValue = eval.Value(kind)
		if swap >= victimValue {
			return side == us // even if that piece is lost too
		}
		occ = occ.AndNot(xiangqi.SquareBB(at))
		side = side.Other()
	}
}

// leastValuableAttacker returns a side's least valuable piece in occ that can capture on a point;
// NoKind if there is none.
func leastValuableAttacker(b *xiangqi.Board, side xiangqi.Side, to xiangqi.Square, occ xiangqi.Bitboard) (xiangqi.Kind, xiangqi.Square) {
	takers := b.Attackers(side, to, occ)
	if takers.Empty() {
		return xiangqi.NoKind, 0
	}
	for _, k := range byValue {
		if hits := takers.And(b.Pieces(side, k)); !hits.Empty() {
			return k, hits.First()
		}
	}
	return xiangqi.NoKind, 0
}

// byValue has the kinds from the cheapest to the king.
var byValue = [...]xiangqi.Kind{
	xiangqi.Pawn, xiangqi.Elephant, xiangqi.Advisor, xiangqi.Horse, xiangqi.Cannon, xiangqi.Rook, xiangqi.King,
}
