package drawing

import (
	"fmt"
	"slices"
	"strings"

	"qhsh/engine"
	"qhsh/engine/render"
	"qhsh/engine/xiangqi"
)

// A line of the diagram has the name of a rank, the columns of nine cells of three
// columns each, and the name again.
const (
	bodyStart = 4
	cellWidth = 3
	bodyEnd   = bodyStart + 9*cellWidth
)

// Diagram returns the diagram of the QHPLUGIN specification, 21 lines of 33 columns in which (R) is Red's and
// [r] Black's, with turning, marks and colour added. Without colour the points of the last move stand in
// braces; a target is a star, or a piece between stars.
func Diagram(p *xiangqi.Position, o render.TextOptions) string {
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
				piece := p.At(sq)
				cell := line[bodyStart+file*cellWidth:][:cellWidth]
				if o.Flip && piece == xiangqi.Empty {
					cell = reversed(cell) // the left edge of the grid becomes the right one
				}
				cell = mark(cell, sq.String(), piece != xiangqi.Empty, o)
				b.WriteString(o.Paint(cell, sq.String(), piece != xiangqi.Empty, engine.Turn(piece.Side())))
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

// mark marks the cell of a point.
func mark(cell, point string, occupied bool, o render.TextOptions) string {
	target := slices.Contains(o.Targets, point)
	switch {
	case target && !occupied:
		return cell[:1] + "*" + cell[2:]
	case o.Color:
		return cell
	case target:
		return "*" + cell[1:2] + "*"
	case slices.Contains(o.Last, point):
		return "{" + cell[1:2] + "}"
	}
	return cell
}
