package notation

import "qhsh/engine/xiangqi"

// Character returns the simplified Chinese character of a piece.
func Character(piece xiangqi.Piece) rune { return simplified.names[piece.Side()][piece.Kind()] }

// PieceName returns a piece in simplified Chinese, by its file as its side counts them, and by its place where two or
// three of its kind are on the file: 七路马 or ７路前马.
func PieceName(b *xiangqi.Board, at xiangqi.Square) string {
	piece, p := b.At(at), placeOf(b, at)
	name := []rune{digits[piece.Side()][p.file], '路'}
	if p.onFile == 2 || p.onFile == 3 {
		name = append(name, simplified.row(p))
	}
	return string(append(name, Character(piece)))
}
