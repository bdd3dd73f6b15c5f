package qchess

import (
	"fmt"
	"math/bits"

	"qhsh/engine"
)

// The pieces of a side: the back row by columns, then the pawns by columns. Second kinds are drawn in
// this order.
const (
	sidePieces = 16
	kingSlot   = 3
)

// backRow is the first kind of each piece of the back row.
var backRow = [8]Kind{Rook, Knight, Bishop, King, Queen, Bishop, Knight, Rook}

// firstKind returns the first kind of the piece in a slot.
func firstKind(slot int) Kind {
	if slot < 8 {
		return backRow[slot]
	}
	return Pawn
}

// startSquare returns the square of a piece at the start.
func startSquare(side engine.Turn, slot int) Square {
	y := slot >> 3
	if side == White {
		y = 7 - y
	}
	return SquareAt(slot&7, y)
}

// superposed is the state of a piece that has no definite kind.
const superposed = -1

// A Piece is a piece of either side.
type Piece struct {
	Kinds  [2]Kind // as known to both sides; the second may be Unknown
	Hidden Kind    // the second kind before it is revealed, on a board that knows it
	State  int8    // index of its current kind, 0 or 1, or superposed
	At     Square  // NoSquare if captured

	shown    Kind    // its original second kind, once revealed
	promoted [2]bool // the kind was a pawn
}

// Kind returns the piece's current kind; Unknown in superposition.
func (p *Piece) Kind() Kind {
	if p.State == superposed {
		return Unknown
	}
	return p.Kinds[p.State]
}

// fixed reports whether both kinds are known and equal.
func (p *Piece) fixed() bool { return p.Kinds[0] == p.Kinds[1] }

// A Board is a position without history. It is a plain value: assigning it copies it.
type Board struct {
	pieces   [2 * sidePieces]Piece
	at       [64]int8  // index of the piece on a square; -1: none
	occupied [2]uint64 // squares of each side's pieces
	turn     engine.Turn
	selected int8 // index of the selected piece; -1: none
}

// NewBoard returns the players' view at the start of a game.
func NewBoard() Board {
	b := empty()
	for side := range engine.Turn(2) {
		for slot := range sidePieces {
			p := Piece{Kinds: [2]Kind{firstKind(slot)}, State: superposed}
			if slot == kingSlot {
				p.Kinds[1] = King
			}
			b.put(number(side, slot), p, startSquare(side, slot))
		}
	}
	return b
}

// empty returns a board without pieces, with White to select.
func empty() Board {
	b := Board{selected: -1}
	for i := range b.at {
		b.at[i] = -1
	}
	for i := range b.pieces {
		b.pieces[i].At = NoSquare
	}
	return b
}

func number(side engine.Turn, slot int) int8 { return int8(int(side)*sidePieces + slot) }

func sideOf(i int8) engine.Turn { return engine.Turn(i / sidePieces) }

func (b *Board) put(i int8, p Piece, at Square) {
	p.At = at
	b.pieces[i] = p
	b.at[at] = i
	b.occupied[sideOf(i)] |= at.bit()
}

// Turn returns the side to move, also if the outcome of its selection is pending.
func (b *Board) Turn() engine.Turn { return b.turn }

// Selected returns the selected piece, if any.
func (b *Board) Selected() (p Piece, ok bool) {
	if b.selected < 0 {
		return Piece{}, false
	}
	return b.pieces[b.selected], true
}

// OutcomePending reports whether the outcome of a selection is pending.
func (b *Board) OutcomePending() bool {
	return b.selected >= 0 && b.pieces[b.selected].State == superposed
}

// PieceAt returns the piece on a square and its side, if any.
func (b *Board) PieceAt(at Square) (p Piece, side engine.Turn, ok bool) {
	i := b.at[at]
	if i < 0 {
		return Piece{}, 0, false
	}
	return b.pieces[i], sideOf(i), true
}

// View returns the board without hidden kinds.
func (b *Board) View() Board {
	view := *b
	for i := range view.pieces {
		view.pieces[i].Hidden = Unknown
	}
	return view
}

// Select selects the piece on a square.
func (b *Board) Select(at Square) error {
	i := b.at[at]
	switch {
	case b.selected >= 0:
		return fmt.Errorf("selection %v: %w: %v is selected", at, ErrIllegal, b.pieces[b.selected].At)
	case i < 0:
		return fmt.Errorf("selection %v: %w: the square is empty", at, ErrIllegal)
	case sideOf(i) != b.turn:
		return fmt.Errorf("selection %v: %w: the piece is %s's", at, ErrIllegal, ColourName(sideOf(i)))
	}
	b.selected = i
	if b.pieces[i].State != superposed {
		b.endIfStuck()
	}
	return nil
}

// SetOutcome gives the selected piece the kind with an index.
func (b *Board) SetOutcome(index int, kind Kind) error {
	if !b.OutcomePending() {
		return fmt.Errorf("outcome %d %v: %w: no outcome is pending", index, kind, ErrIllegal)
	}
	p := &b.pieces[b.selected]
	known := p.Kinds[index]
	if known == Unknown {
		known = p.Hidden
	}
	switch {
	case known == Unknown && (kind == Unknown || kind == King):
		return fmt.Errorf("outcome %d %v: %w: not a possible second kind", index, kind, ErrIllegal)
	case known != Unknown && known != kind:
		return fmt.Errorf("outcome %d %v: %w: that kind is %v", index, kind, ErrIllegal, known)
	case known == Unknown && b.Shown(b.turn).allShown(kind):
		return fmt.Errorf("outcome %d %v: %w: every %v has been revealed", index, kind, ErrIllegal, kind)
	}
	if p.Kinds[index] == Unknown {
		p.shown = kind
	}
	p.Kinds[index] = kind
	if index == 1 {
		p.Hidden = Unknown
	}
	p.State = int8(index)
	b.endIfStuck()
	return nil
}

// endIfStuck ends the turn if the selected piece cannot move.
func (b *Board) endIfStuck() {
	if b.Destinations() == 0 {
		b.endTurn()
	}
}

// endTurn ends the turn. The selected piece goes into superposition on an odd square.
func (b *Board) endTurn() {
	p := &b.pieces[b.selected]
	if p.At.odd() {
		p.State = superposed
		if p.fixed() {
			p.State = 0
		}
	}
	b.selected = -1
	b.turn = b.turn.Other()
}

// Move moves the selected piece.
func (b *Board) Move(to Square) error {
	if b.selected < 0 || b.OutcomePending() {
		return fmt.Errorf("move to %v: %w: no piece is ready to move", to, ErrIllegal)
	}
	if b.Destinations()&to.bit() == 0 {
		p := b.pieces[b.selected]
		return fmt.Errorf("move %v-%v: %w: the %v cannot go there", p.At, to, ErrIllegal, p.Kind())
	}
	b.DoMove(to)
	return nil
}

// DoMove makes a move to one of the Destinations.
func (b *Board) DoMove(to Square) {
	p := &b.pieces[b.selected]
	if victim := b.at[to]; victim >= 0 {
		b.pieces[victim].At = NoSquare
		b.occupied[b.turn.Other()] &^= to.bit()
	}
	b.at[p.At], b.at[to] = -1, b.selected
	b.occupied[b.turn] ^= p.At.bit() | to.bit()
	p.At = to
	if p.Kind() == Pawn && to.Y() == 7*int(b.turn) { // White's last row is 0, Black's 7
		p.Kinds[p.State], p.promoted[p.State] = Queen, true
	}
	b.endTurn()
}

// Result reports a win of the side that has captured the king, and a draw of two lone kings.
func (b *Board) Result() engine.Result {
	for side := range engine.Turn(2) {
		if b.pieces[number(side, kingSlot)].At == NoSquare {
			return engine.Result{Outcome: engine.Win(side.Other()), Reason: "king captured"}
		}
	}
	if bits.OnesCount64(b.occupied[White]) == 1 && bits.OnesCount64(b.occupied[Black]) == 1 {
		return engine.Result{Outcome: engine.Draw, Reason: "lone kings"}
	}
	return engine.Result{}
}

// key returns a hash of the board. It is FNV-1a, so it is the same in every process.
func (b *Board) key() uint64 {
	h := uint64(14695981039346656037)
	mix := func(v uint8) { h = (h ^ uint64(v)) * 1099511628211 }
	mix(uint8(b.turn))
	mix(uint8(b.selected))
	for i := range b.pieces {
		p := &b.pieces[i]
		mix(uint8(p.At))
		mix(uint8(p.shown))
		if p.At == NoSquare {
			continue
		}
		mix(uint8(p.Kinds[0])<<4 | uint8(p.Kinds[1]))
		mix(uint8(p.Hidden)<<4 | uint8(p.State+1))
	}
	return h
}
