package qchess

import "qhsh/engine"

// What a search asks of a board beside its steps.

// Occupied returns the squares that a side stands on, a bit each.
func (b *Board) Occupied(side engine.Turn) uint64 { return b.occupied[side] }

// EachPiece calls f for every piece on the board, with its slot, which is its place among
// [Board.Pieces].
func (b *Board) EachPiece(side engine.Turn, f func(slot int, p *Piece)) {
	for slot := range sidePieces {
		if p := &b.pieces[number(side, slot)]; p.At != NoSquare {
			f(slot, p)
		}
	}
}

// Slot returns the place of the piece on a square among the [Board.Pieces] of its side.
func (b *Board) Slot(at Square) int { return int(b.at[at]) % sidePieces }

// Attacks returns the squares that a piece of a kind attacks or defends from a square: those that it
// can capture on, whoever stands there.
func (b *Board) Attacks(side engine.Turn, k Kind, from Square) uint64 {
	if k == Pawn {
		return pawnTakes[side][from]
	}
	return attacks(k, from, b.occupied[White]|b.occupied[Black])
}

// King returns where a side's king stands.
func (b *Board) King(side engine.Turn) Square { return b.pieces[number(side, kingSlot)].At }

// CanMove reports whether the piece on a square of the side to move can move with one of the kinds
// that it may show, by what both sides know.
func (b *Board) CanMove(at Square) bool {
	next := b.View()
	if next.Select(at) != nil {
		return false
	}
	if !next.OutcomePending() {
		return next.selected >= 0
	}
	for _, o := range next.Outcomes() {
		if next.reach(b.turn, o.Kind, at) != 0 {
			return true
		}
	}
	return false
}

// SelectAs selects the piece on a square of the side to move, which shows a kind: one of its known
// ones, or else its second. It may not be one that the piece cannot be.
func (b *Board) SelectAs(at Square, k Kind) {
	b.selected = b.at[at]
	p := &b.pieces[b.selected]
	if p.State == superposed {
		p.State = 1
		if p.Kinds[0] == k {
			p.State = 0
		} else if p.Kinds[1] == Unknown {
			p.Kinds[1], p.shown, p.Hidden = k, k, Unknown
		}
	}
	b.endIfStuck()
}

// DoMove makes a move to one of the Destinations.
func (b *Board) DoMove(to Square) { b.doMove(to) }
