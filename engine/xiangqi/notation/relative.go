package notation

import (
	"qhsh/engine/xiangqi"
)

// A row is the location of a piece among those of its kind on its file.
type row uint8

const (
	front row = iota + 1
	mid
	rear
)

// A piecePlace distinguishes a piece from the others of its kind.
type piecePlace struct {
	kind         xiangqi.Kind
	file         int // 1 to 9, from the mover's right hand
	onFile       int // number of pieces of this kind on the file
	nth          int // its index among these, from 1 at the front
	severalFiles bool
	count        int // its index among all pawns on files with several, from 1
}

// fileOf returns a point's file as a side numbers it, 1 to 9.
func fileOf(sq xiangqi.Square, side xiangqi.Side) int {
	file := int(sq) % 9
	if side == xiangqi.Red {
		return 9 - file
	}
	return file + 1
}

// ahead reports whether a is in front of b for a side.
func ahead(a, b xiangqi.Square, side xiangqi.Side) bool {
	return a/9 != b/9 && (a > b) == (side == xiangqi.Red)
}

// placeOf returns the place of a piece.
func placeOf(b *xiangqi.Board, sq xiangqi.Square) piecePlace {
	side := b.At(sq).Side()
	p := piecePlace{kind: b.At(sq).Kind(), file: fileOf(sq, side), nth: 1}
	var files [10]int
	pieces := b.Pieces(side, p.kind)
	for other := range pieces.All() {
		file := fileOf(other, side)
		files[file]++
		if file == p.file && ahead(other, sq, side) {
			p.nth++
		}
	}
	p.onFile = files[p.file]
	p.count = p.nth
	for file, n := range files {
		if n < 2 || file == p.file {
			continue
		}
		p.severalFiles = p.severalFiles || p.onFile > 1
		if file < p.file {
			p.count += n
		}
	}
	return p
}

// byFile reports whether the file is enough to identify the piece.
func (p piecePlace) byFile() bool {
	return p.onFile == 1 || p.kind == xiangqi.Elephant || p.kind == xiangqi.Advisor
}

// direction returns a move's direction and number: the target file, or the number of ranks.
func direction(kind xiangqi.Kind, m xiangqi.Move, side xiangqi.Side) (sign rune, n int) {
	from, to := m.From(), m.To()
	switch {
	case from/9 == to/9:
		return '=', fileOf(to, side)
	case ahead(to, from, side):
		sign = '+'
	default:
		sign = '-'
	}
	if slanted(kind) {
		return sign, fileOf(to, side)
	}
	n = int(to/9) - int(from/9)
	return sign, max(n, -n)
}

// slanted reports whether a kind of piece changes both file and rank in every move.
func slanted(k xiangqi.Kind) bool {
	return k == xiangqi.Horse || k == xiangqi.Elephant || k == xiangqi.Advisor
}

func formatWXF(b *xiangqi.Board, m xiangqi.Move) string {
	p := placeOf(b, m.From())
	sign, n := direction(p.kind, m, b.Side())
	letter, file, nth := letters[p.kind], '0'+byte(p.file), '0'+byte(p.nth)
	name := [2]byte{nth, file}
	switch {
	case p.byFile():
		name = [2]byte{letter, file}
	case p.onFile == 2 && !p.severalFiles:
		name = [2]byte{letter, "+-"[p.nth-1]}
	case p.severalFiles && p.onFile == 3 && nth == file && p.nth != 2:
		// Two equal digits would be the middle pawn in the rule of 1982.
		name = [2]byte{file, "+ -"[p.nth-1]}
	}
	return string([]byte{name[0], name[1], byte(sign), '0' + byte(n)})
}

func formatChinese(b *xiangqi.Board, m xiangqi.Move, s *characters) string {
	p := placeOf(b, m.From())
	sign, n := direction(p.kind, m, b.Side())
	piece, own := s.names[b.Side()][p.kind], &digits[b.Side()]
	name := [2]rune{piece, own[p.file]}
	switch {
	case p.byFile():
	case p.severalFiles || p.onFile > 3:
		name = [2]rune{digits[xiangqi.Red][p.count], piece}
	default:
		name = [2]rune{s.row(p), piece}
	}
	way := '平'
	switch sign {
	case '+':
		way = s.advance
	case '-':
		way = '退'
	}
	return string([]rune{name[0], name[1], way, own[n]})
}

// row returns the character for the place of one of two or three pieces on a file.
func (s *characters) row(p piecePlace) rune {
	switch p.nth {
	case 1:
		return s.front
	case p.onFile:
		return s.rear
	}
	return s.mid
}
