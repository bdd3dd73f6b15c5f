package render

import (
	"fmt"
	"slices"
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

// The names of the files, from A to I. In the Chinese notation either side counts them from its
// right.
const (
	fileLetters = "ABCDEFGHI"
	redFiles    = "九八七六五四三二一"
	blackFiles  = "123456789"
)

// compact returns a board of one line a rank. Between the points there are gaps of one
// column, in which marks stand. The edges name the files and the ranks as in a FEN, or the files
// as in the Chinese notation, which does not name ranks.
func (o Options) compact(p *xiangqi.Position) string {
	top, bottom := fileLetters, fileLetters
	if o.Style == Chinese {
		top, bottom = blackFiles, redFiles
	}
	if o.Flip {
		top, bottom = bottom, top
	}
	var b strings.Builder
	b.WriteString(o.fileNames(top))
	for row := range 10 {
		rank := 9 - row
		if o.Flip {
			rank = row
		}
		b.WriteString(o.rankEdge("%d ", rank))
		closing := " "
		for column := range 9 {
			file := column
			if o.Flip {
				file = 8 - column
			}
			sq := xiangqi.Square(rank*9 + file)
			opening, next := o.around(sq, p.At(sq))
			switch { // both points may want a mark in the gap between them
			case closing == " ", closing == opening:
				b.WriteString(opening)
			case opening == " ":
				b.WriteString(closing)
			default:
				b.WriteByte('|')
			}
			b.WriteString(o.paint(o.point(sq, p.At(sq)), sq, p.At(sq)))
			closing = next
		}
		b.WriteString(closing + o.rankEdge(" %d", rank) + "\n")
	}
	b.WriteString(o.fileNames(bottom))
	return b.String()
}

// rankEdge formats the name of a rank, which is empty on a Chinese board.
func (o Options) rankEdge(format string, rank int) string {
	if o.Style == Chinese {
		return ""
	}
	return fmt.Sprintf(format, rank)
}

// fileNames returns the line of the files' names, each above the first column of its
// points.
func (o Options) fileNames(names string) string {
	files := strings.Split(names, "")
	if o.Flip {
		slices.Reverse(files)
	}
	for i, name := range files {
		if len(name) < o.pointWidth() { // a digit above a hanzi
			files[i] += " "
		}
	}
	margin := strings.Repeat(" ", len(o.rankEdge("%d ", 0))+1)
	return strings.TrimRight(margin+strings.Join(files, " "), " ") + "\n"
}

// pointWidth returns the columns of a point.
func (o Options) pointWidth() int {
	if o.Style == Chinese {
		return 2
	}
	return 1
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
	return string(piece.Letter())
}
