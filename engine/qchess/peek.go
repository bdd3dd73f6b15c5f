package qchess

import "qhsh/engine"

// What a search asks of a board beside its steps.

// Taken are the squares that a side stands on, a bit each.
func (b *Board) Taken(side engine.Turn) uint64 { return b.taken[side] }

// Each calls f for every piece on the board, with its slot, which is its place among
// [Board.Pieces].
func (b *Board) Each(side engine.Turn, f func(slot int, p *Piece)) {
	for slot := range sidePieces {
		if p := &b.pieces[number(side, slot)]; p.At != NoSquare {
			f(slot, p)
		}
	}
}

// Slot is the place of the piece on a square among the [Board.Pieces] of its side.
func (b *Board) Slot(at Square) int { return int(b.at[at]) % sidePieces }

// Attacks are the squares that a piece of a kind attacks or defends from a square: those that it
// can capture on, whoever stands there.
func (b *Board) Attacks(side engine.Turn, k Kind, from Square) uint64 {
	if k == Pawn {
		return pawnTakes[side][from]
	}
	return attacks(k, from, b.taken[White]|b.taken[Black])
}

// King is where a side's king stands.
func (b *Board) King(side engine.Turn) Square { return b.pieces[number(side, kingSlot)].At }

// MayMove reports whether the piece on a square of the side to move can move with one of the kinds
// that it may show, by what both sides know.
func (b *Board) MayMove(at Square) bool {
	next := b.View()
	if next.Select(at) != nil {
		return false
	}
	if !next.Drawing() {
		return next.picked >= 0
	}
	for _, o := range next.Outcomes() {
		if next.reach(b.turn, o.Kind, at) != 0 {
			return true
		}
	}
	return false
}

// Show selects the piece on a square of the side to move, which shows a kind: one of its known
// ones, or else its second. It may not be one that the piece cannot be.
func (b *Board) Show(at Square, k Kind) {
	b.picked = b.at[at]
	p := &b.pieces[b.picked]
	if p.State == superposed {
		p.State = 1
		if p.Kinds[0] == k {
			p.State = 0
		} else if p.Kinds[1] == Unknown {
			p.Kinds[1], p.drawn, p.Hidden = k, k, Unknown
		}
	}
	b.settle()
}

// MoveTo makes a move to one of the Destinations.
func (b *Board) MoveTo(to Square) { b.do(to) }
