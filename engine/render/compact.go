package render

import (
	"strings"

	"qhsh/engine/xiangqi"
)

// hanzi are the names of the pieces, by side and kind. The sides have different ones
// for every kind, so that they are told apart without colour.
var hanzi = [2][8]string{
	{"", "俥", "傌", "相", "仕", "帥", "炮", "兵"},
	{"", "車", "馬", "象", "士", "將", "砲", "卒"},
}

// letters are those of a FEN, by kind.
const letters = " RNBAKCP"

// letterOf returns a piece's letter, upper case for Red.
func letterOf(p xiangqi.Piece) string {
	letter := letters[p.Kind() : p.Kind()+1]
	if p.Side() == xiangqi.Black {
		return strings.ToLower(letter)
	}
	return letter
}

// compact returns a board of one line a rank. Between the points there are gaps of one
// column, in which marks stand.
func (o Options) compact(p *xiangqi.Position) string {
	files := o.fileNames()
	var b strings.Builder
	b.WriteString(files)
	for row := range 10 {
		rank := 9 - row
		if o.Flip {
			rank = row
		}
		name := string(rune('0' + rank))
		b.WriteString(name + " ")
		o.compactRank(&b, p, rank)
		b.WriteString(" " + name + "\n")
	}
	b.WriteString(files)
	return b.String()
}

// fileNames returns the line of the files' names, each above the first column of its
// points.
func (o Options) fileNames() string {
	names := "ABCDEFGHI"
	if o.Flip {
		names = "IHGFEDCBA"
	}
	gap := "  "[:o.pointWidth()]
	return "   " + strings.Join(strings.Split(names, ""), gap) + "\n"
}

// pointWidth returns the columns of a point.
func (o Options) pointWidth() int {
	if o.Style == Chinese {
		return 2
	}
	return 1
}

func (o Options) compactRank(b *strings.Builder, p *xiangqi.Position, rank int) {
	closing := " "
	for column := range 9 {
		file := column
		if o.Flip {
			file = 8 - column
		}
		sq := xiangqi.Square(rank*9 + file)
		opening, next := o.around(sq, p.At(sq))
		b.WriteString(sharedGap(closing, opening))
		b.WriteString(o.paint(o.point(sq, p.At(sq)), sq, p.At(sq)))
		closing = next
	}
	b.WriteString(closing)
}

// around returns the marks in the gaps to both sides of a point.
func (o Options) around(sq xiangqi.Square, piece xiangqi.Piece) (opening, closing string) {
	switch {
	case o.Color:
		return " ", " "
	case o.isTarget(sq) && piece != xiangqi.Empty:
		return "*", "*"
	case o.isLast(sq):
		return "[", "]"
	}
	return " ", " "
}

// sharedGap returns the gap between two points, of which both may want a mark in it.
func sharedGap(closing, opening string) string {
	switch {
	case closing == " ", closing == opening:
		return opening
	case opening == " ":
		return closing
	}
	return "|"
}

// point returns what stands on a point, in its full width.
func (o Options) point(sq xiangqi.Square, piece xiangqi.Piece) string {
	empty := "."
	if o.isTarget(sq) {
		empty = "*"
	}
	switch {
	case piece == xiangqi.Empty:
		return (empty + " ")[:o.pointWidth()]
	case o.Style == Chinese:
		return hanzi[piece.Side()][piece.Kind()]
	}
	return letterOf(piece)
}
