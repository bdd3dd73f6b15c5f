package qchess

import (
	"slices"

	"qhsh/engine"
)

// Queries for searches.

// Occupied returns the squares of a side's pieces, as a bitboard.
func (b *Board) Occupied(side engine.Turn) uint64 { return b.occupied[side] }

// EachPiece calls f for each of a side's pieces on the board, with its slot: its index in the order in
// which second kinds are drawn.
func (b *Board) EachPiece(side engine.Turn, f func(slot int, p *Piece)) {
	for slot := range sidePieces {
		if p := &b.pieces[number(side, slot)]; p.At != NoSquare {
			f(slot, p)
		}
	}
}

// Slot returns the slot of the piece on a square, see [Board.EachPiece].
func (b *Board) Slot(at Square) int { return int(b.at[at]) % sidePieces }

// Attacks returns the squares that a piece of a kind attacks or defends, whatever is on them.
func (b *Board) Attacks(side engine.Turn, k Kind, from Square) uint64 {
	if k == Pawn {
		return pawnTakes[side][from]
	}
	return attacks(k, from, b.occupied[White]|b.occupied[Black])
}

// King returns the square of a side's king.
func (b *Board) King(side engine.Turn) Square { return b.pieces[number(side, kingSlot)].At }

// CanMove reports whether the piece on a square of the side to move can move as one of its possible
// kinds, given what both sides know.
func (b *Board) CanMove(at Square) bool {
	next := b.View()
	if next.Select(at) != nil {
		return false
	}
	if !next.OutcomePending() {
		return next.selected >= 0
	}
	return slices.ContainsFunc(next.Outcomes(), func(o Outcome) bool { return next.reach(b.turn, o.Kind, at) != 0 })
}

// SelectAs selects the piece on a square of the side to move, with the outcome k: one of its known
// kinds, or else its second kind. k must be possible.
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
