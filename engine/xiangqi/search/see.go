package search

import (
	"qhsh/engine/xiangqi"
	"qhsh/engine/xiangqi/eval"
)

// seeGE reports whether a move wins at least so many centipawns, or loses no more
// than as many below zero, when both sides go on capturing on its point for as long
// as it pays, the least valuable piece first. Pieces that stand behind others, and
// cannons that gain or lose their screen, come in as the point's lines change; pins
// are not seen.
func (w *worker) seeGE(m xiangqi.Move, least int) bool { return seeGE(w.board, m, least) }

func seeGE(b *xiangqi.Board, m xiangqi.Move, least int) bool {
	from, to := m.From(), m.To()
	// balance is what the side that moved last has above least, if nobody goes on.
	swap := eval.Value(b.At(to).Kind()) - least
	if swap < 0 {
		return false
	}
	victimValue := eval.Value(b.At(from).Kind())
	if swap >= victimValue {
		return true // even if the piece is lost for nothing
	}
	occ := b.Occupied().AndNot(xiangqi.SquareBB(from)).Or(xiangqi.SquareBB(to))
	side, us := b.Side().Other(), b.Side()
	for {
		kind, at := leastValuableAttacker(b, side, to, occ)
		if kind == xiangqi.NoKind {
			return side != us
		}
		// The side to take wins what stands there, and risks its own piece.
		swap = victimValue - swap - 1
		if swap < 0 {
			return side != us // taking is not enough: it stays as it was
		}
		victimValue = eval.Value(kind)
		if swap >= victimValue {
			return side == us // even if that piece is lost too
		}
		occ = occ.AndNot(xiangqi.SquareBB(at))
		side = side.Other()
	}
}

// leastValuableAttacker finds a side's least valuable piece that can take on a point, among the
// pieces in occ; NoKind if there is none.
func leastValuableAttacker(b *xiangqi.Board, side xiangqi.Side, to xiangqi.Square, occ xiangqi.Bitboard) (xiangqi.Kind, xiangqi.Square) {
	takers := b.Attackers(to, occ).And(b.OccupiedBy(side))
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

// byValue are the kinds from the cheapest to the king.
var byValue = [...]xiangqi.Kind{
	xiangqi.Pawn, xiangqi.Elephant, xiangqi.Advisor, xiangqi.Horse, xiangqi.Cannon, xiangqi.Rook, xiangqi.King,
}
