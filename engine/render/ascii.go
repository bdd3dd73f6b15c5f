package render

import (
	"fmt"
	"slices"
	"strings"

	"qhsh/engine/xiangqi"
)

// A line of the diagram has the name of a rank, the columns of nine cells of three
// columns each, and the name again.
const (
	bodyStart = 4
	cellWidth = 3
	bodyEnd   = bodyStart + 9*cellWidth
)

// diagram returns the diagram of package xiangqi, which is the specification's, with
// turning, marks and colour added.
func (o Options) diagram(p *xiangqi.Position) string {
	lines := strings.Split(strings.TrimSuffix(p.Diagram(), "\n"), "\n")
	if o.Flip {
		slices.Reverse(lines)
	}
	var b strings.Builder
	for _, line := range lines {
		if rank := line[2]; rank != ' ' {
			b.WriteString(line[:bodyStart])
			for column := range 9 {
				file := column
				if o.Flip {
					file = 8 - column
				}
				sq := xiangqi.Square(int(rank-'0')*9 + file)
				cell := line[bodyStart+file*cellWidth:][:cellWidth]
				if o.Flip && p.At(sq) == xiangqi.Empty {
					cell = reversed(cell) // the left edge of the grid becomes the right one
				}
				b.WriteString(o.paint(o.diagramCell(cell, sq, p.At(sq)), sq, p.At(sq)))
			}
			b.WriteString(line[bodyEnd:])
		} else {
			if o.Flip { // a diagonal of a palace stays the same when the board is turned by half
				line = line[:bodyStart] + reversed(fmt.Sprintf("%-*s", bodyEnd-bodyStart, line[bodyStart:]))
			}
			b.WriteString(strings.TrimRight(line, " "))
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func reversed(text string) string {
	bytes := []byte(text)
	slices.Reverse(bytes)
	return string(bytes)
}

// diagramCell marks a point.
func (o Options) diagramCell(cell string, sq xiangqi.Square, piece xiangqi.Piece) string {
	switch {
	case o.isTarget(sq) && piece == xiangqi.Empty:
		return cell[:1] + "*" + cell[2:]
	case o.Color:
		return cell
	case o.isTarget(sq):
		return "*" + cell[1:2] + "*"
	case o.isLast(sq):
		return "{" + cell[1:2] + "}"
	}
	return cell
}
