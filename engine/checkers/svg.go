package checkers

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// SVGOptions configure SVG. The zero value draws only the board and the pieces.
type SVGOptions struct {
	Flip   bool        // Black is at the bottom
	Last   []Square    // highlighted squares
	Arrows [][2]Square // from, to
	Marks  []Square    // squares with a dot
	Width  int         // in pixels; 0: no fixed size
}

// Sizes in SVG units: 8 squares and a margin on all sides.
const (
	cell      = 50
	margin    = 20
	boardSize = 8*cell + 2*margin
)

// A drawing is a board that is being drawn with its options.
type drawing struct {
	SVGOptions
	*Board
	view
}

// SVG draws the board as a self-contained SVG image. Kings have a ring. It is seen as [Board.Diagram]
// has it; where that has numbers, each dark square has its own.
func (b *Board) SVG(o SVGOptions) string {
	p := drawing{o, b, b.view(o.Flip)}
	var s strings.Builder
	p.head(&s)
	for _, sq := range allSquares.Squares() {
		fill := "#8a6a45"
		if slices.Contains(p.Last, sq) {
			fill = "#6f9a4d"
		}
		x, y := p.middle(sq)
		fmt.Fprintf(&s, `<rect x="%d" y="%d" width="%d" height="%d" fill="%s"/>`+"\n", x-cell/2, y-cell/2, cell, cell, fill)
	}
	p.labels(&s)
	for _, c := range [...]Colour{Black, White} {
		fill, line := "#2b2b2b", "#c8c8c8"
		if c == White {
			fill, line = "#fdfdf6", "#5a5a5a"
		}
		for _, sq := range p.side[c].Squares() {
			x, y := p.middle(sq)
			fmt.Fprintf(&s, `<circle cx="%d" cy="%d" r="20" fill="%s" stroke="%s" stroke-width="2"/>`+"\n", x, y, fill, line)
			if p.kings.Has(sq) {
				fmt.Fprintf(&s, `<circle cx="%d" cy="%d" r="11" fill="none" stroke="%s" stroke-width="4"/>`+"\n", x, y, "#c9a227")
			}
		}
	}
	for _, mark := range p.Marks {
		x, y := p.middle(mark)
		fmt.Fprintf(&s, `<circle cx="%d" cy="%d" r="8" fill="#2e7d32"/>`+"\n", x, y)
	}
	for _, a := range p.Arrows {
		x1, y1 := p.middle(a[0])
		x2, y2 := p.middle(a[1])
		dx, dy := cmp.Compare(x2, x1)*10, cmp.Compare(y2, y1)*10 // of the arrowhead
		fmt.Fprintf(&s, `<path d="M%d %dL%d %dm%d 0h%dv%d" fill="none" stroke="#1565c0" stroke-width="6" stroke-linecap="round" stroke-linejoin="round"/>`+"\n",
			x1, y1, x2, y2, -dx, dx, -dy)
	}
	s.WriteString("</svg>\n")
	return s.String()
}

// head begins the image with an empty board.
func (p drawing) head(s *strings.Builder) {
	size := ""
	if p.Width > 0 {
		size = fmt.Sprintf(` width="%d" height="%d"`, p.Width, p.Width)
	}
	fmt.Fprintf(s, `<svg xmlns="http://www.w3.org/2000/svg"%s viewBox="0 0 %d %d" role="img" aria-label="Checkers board">`+"\n", size, boardSize, boardSize)
	fmt.Fprintf(s, `<rect width="%d" height="%d" fill="#f0e2c4"/>`+"\n", boardSize, boardSize)
}

// labels draws the number of each dark square in its corner, or the files below the board and the
// ranks beside it.
func (p drawing) labels(s *strings.Builder) {
	if p.mirrored {
		s.WriteString(`<g font-family="sans-serif" font-size="10" fill="#f0e2c4">` + "\n")
		for _, sq := range allSquares.Squares() {
			x, y := p.middle(sq)
			fmt.Fprintf(s, `<text x="%d" y="%d">%d</text>`+"\n", x-cell/2+2, y-cell/2+10, p.variant.Number(sq))
		}
		s.WriteString("</g>\n")
		return
	}
	s.WriteString(`<g font-family="sans-serif" font-size="12" text-anchor="middle" fill="#4a3820">` + "\n")
	for i := range 8 {
		file, rank := byte('a'+i), byte('8'-i)
		if p.Flip {
			file, rank = byte('h'-i), byte('1'+i)
		}
		at := margin + i*cell + cell/2
		fmt.Fprintf(s, `<text x="%d" y="%d">%c</text><text x="%d" y="%d">%c</text>`+"\n", at, boardSize-6, file, margin/2, at+4, rank)
	}
	s.WriteString("</g>\n")
}

// middle returns the centre of a square.
func (p drawing) middle(s Square) (x, y int) {
	x, y = p.place(s.XY())
	return margin + x*cell + cell/2, margin + y*cell + cell/2
}
