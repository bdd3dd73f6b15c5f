package net

import "qhsh/engine/xiangqi"

// A refreshCache has an accumulator for each side and view, and the pieces that it counts. When a
// side's view changes, its accumulator is computed from there: that takes the few pieces in which the
// boards differ, not all of them.
type refreshCache [2][2]cached

// A cached is an accumulator and its pieces.
type cached struct {
	accumulator []int16
	pieces      [16]xiangqi.Bitboard // by Piece
}

func newRefreshCache(w *Weights) (c refreshCache) {
	for side := range c {
		for mirror := range c[side] {
			c[side][mirror].accumulator = append([]int16(nil), w.Bias...)
		}
	}
	return c
}

// refresh computes the accumulator of a side that sees the board mirrored or not.
func (c *refreshCache) refresh(dst []int16, w *Weights, b *xiangqi.Board, side xiangqi.Side, mirror uint8) {
	e, v := &c[side][mirror], &views[side][mirror]
	var add, sub [maxPieces]uint16
	adds, subs := add[:0], sub[:0]
	for owner := xiangqi.Red; owner <= xiangqi.Black; owner++ {
		for kind := xiangqi.Rook; kind <= xiangqi.Pawn; kind++ {
			p, now := xiangqi.NewPiece(owner, kind), b.Pieces(owner, kind)
			adds = v.appendPieces(adds, p, now.AndNot(e.pieces[p]))
			subs = v.appendPieces(subs, p, e.pieces[p].AndNot(now))
			e.pieces[p] = now
		}
	}
	update(e.accumulator, e.accumulator, w.Feature, adds, subs)
	copy(dst, e.accumulator)
}

// appendPieces appends the features of a piece on each of the points.
func (v *view) appendPieces(dst []uint16, p xiangqi.Piece, set xiangqi.Bitboard) []uint16 {
	for !set.Empty() {
		var sq xiangqi.Square
		sq, set = set.Next()
		dst = append(dst, v[p][sq])
	}
	return dst
}
