package search

import (
	"qhsh/engine/xiangqi"
	"qhsh/engine/xiangqi/eval"
)

// exchange is the material, in centipawns, that a capture wins or loses when both
// sides go on capturing on its point for as long as it pays, the least valuable
// piece first. Pieces that stand behind others, and cannons that gain or lose their
// screen, come in as the point's lines change; pins are not seen.
func exchange(b *xiangqi.Board, m xiangqi.Move) int {
	var gain [34]int // a side has 16 pieces
	from, to := m.From(), m.To()
	occ := b.Occupied().AndNot(xiangqi.Point(from)).Or(xiangqi.Point(to))
	standing := eval.Value(b.At(from).Kind())
	side := b.Side().Other()
	gain[0] = eval.Value(b.At(to).Kind())
	n := 0
	for {
		kind, at := cheapest(b, side, to, occ)
		if kind == xiangqi.NoKind {
			break
		}
		n++
		gain[n] = standing - gain[n-1]
		if max(-gain[n-1], gain[n]) < 0 {
			break // whoever goes on only loses more
		}
		standing = eval.Value(kind)
		occ = occ.AndNot(xiangqi.Point(at))
		side = side.Other()
	}
	for ; n > 0; n-- {
		gain[n-1] = -max(-gain[n-1], gain[n])
	}
	return gain[0]
}

// cheapest finds a side's least valuable piece that can take on a point, among the
// pieces in occ; NoKind if there is none.
func cheapest(b *xiangqi.Board, side xiangqi.Side, to xiangqi.Square, occ xiangqi.Bitboard) (xiangqi.Kind, xiangqi.Square) {
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
