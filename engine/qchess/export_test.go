package qchess

import "qhsh/engine"

// Pieces returns the pieces of a side, in the order in which second kinds are drawn. Captured
// pieces are At NoSquare.
func (b *Board) Pieces(side engine.Turn) []Piece {
	return append([]Piece(nil), b.pieces[int(side)*sidePieces:][:sidePieces]...)
}
