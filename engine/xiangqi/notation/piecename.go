package notation

import (
	"strings"

	"qhsh/engine/xiangqi"
)

// Character returns the simplified Chinese character of a piece.
func Character(piece xiangqi.Piece) rune {
	if piece.Side() == xiangqi.Red {
		return simplified.red[piece.Kind()]
	}
	return simplified.black[piece.Kind()]
}

// PieceName returns a piece in simplified Chinese, by its file as its side counts them, and by its place where two or
// three of its kind are on the file: 七路马 or ７路前马.
func PieceName(b *xiangqi.Board, at xiangqi.Square) string {
	piece, digits := b.At(at), &hanDigits
	if piece.Side() == xiangqi.Black {
		digits = &wideDigits
	}
	var name strings.Builder
	name.WriteRune(digits[fileOf(at, piece.Side())])
	name.WriteRune('路')
	count, nth := 0, 0
	for other := range b.Pieces(piece.Side(), piece.Kind()).All() {
		if other%9 == at%9 {
			if count++; ahead(other, at, piece.Side()) {
				nth++
			}
		}
	}
	switch {
	case count == 2, count == 3:
		name.WriteRune([]rune{simplified.front, simplified.mid, simplified.rear}[min(2, nth*(4-count))])
	}
	name.WriteRune(Character(piece))
	return name.String()
}
