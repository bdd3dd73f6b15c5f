package qchess

import (
	_ "embed"
	"fmt"
	"strings"

	"qhsh/engine"
)

// SVGOptions configure SVG.
type SVGOptions struct {
	Flip   bool
	Last   []Square    // squares of the last step
	Marks  []Square    // squares with a ring
	Arrows [][2]Square // moves
	Width  int         // in pixels; 0: no fixed size
}

// svgCell is the size of a square in SVG units.
const svgCell = 100

// SVG draws the board as an SVG image. A piece shows its current kind, or a question mark, and both
// kinds below it.
func (b *Board) SVG(pic SVGOptions) string {
	const size = 8 * svgCell
	var s strings.Builder
	width := ""
	if pic.Width > 0 {
		width = fmt.Sprintf(` width="%d" height="%d"`, pic.Width, pic.Width)
	}
	fmt.Fprintf(&s, `<svg xmlns="http://www.w3.org/2000/svg"%s viewBox="0 0 %d %d" font-family="sans-serif" text-anchor="middle">`+"\n", width, size, size)
	for at := range Square(64) {
		x, y := pic.place(at)
		fill := "#f0d9b5"
		if at.odd() {
			fill = "#b58863"
		}
		fmt.Fprintf(&s, `<rect x="%d" y="%d" width="%d" height="%d" fill="%s"/>`+"\n", x, y, svgCell, svgCell, fill)
	}
	selected := pic.Last
	if p, ok := b.Selected(); ok {
		selected = append([]Square{p.At}, selected...)
	}
	for _, at := range selected {
		x, y := pic.place(at)
		fmt.Fprintf(&s, `<rect x="%d" y="%d" width="%d" height="%d" fill="#ffe04d" fill-opacity="0.6"/>`+"\n", x, y, svgCell, svgCell)
	}
	for at := range Square(64) {
		if p, side, ok := b.PieceAt(at); ok {
			x, y := pic.place(at)
			p.draw(&s, side, x+svgCell/2, y+svgCell/2)
		}
	}
	for _, at := range pic.Marks {
		x, y := pic.place(at)
		fmt.Fprintf(&s, `<circle cx="%d" cy="%d" r="46" fill="none" stroke="#1a7f37" stroke-width="6"/>`+"\n", x+svgCell/2, y+svgCell/2)
	}
	for _, arrow := range pic.Arrows {
		x1, y1 := pic.place(arrow[0])
		x2, y2 := pic.place(arrow[1])
		fmt.Fprintf(&s, `<line x1="%d" y1="%d" x2="%d" y2="%d" stroke="#1a7f37" stroke-width="10" stroke-opacity="0.7" stroke-linecap="round"/>`+"\n",
			x1+svgCell/2, y1+svgCell/2, x2+svgCell/2, y2+svgCell/2)
		fmt.Fprintf(&s, `<circle cx="%d" cy="%d" r="14" fill="#1a7f37"/>`+"\n", x2+svgCell/2, y2+svgCell/2)
	}
	s.WriteString("</svg>\n")
	return s.String()
}

// place returns the upper left corner of a square.
func (pic SVGOptions) place(at Square) (x, y int) {
	x, y = at.X(), at.Y()
	if pic.Flip {
		x, y = 7-x, 7-y
	}
	return x * svgCell, y * svgCell
}

// draw draws a piece around a point.
func (p *Piece) draw(s *strings.Builder, side engine.Turn, x, y int) {
	fill, ink := "#ffffff", "#202020"
	if side == Black {
		fill, ink = ink, fill
	}
	now := p.Kind()
	if p.fixed() {
		now = p.Kinds[0]
	}
	fmt.Fprintf(s, `<circle cx="%d" cy="%d" r="42" fill="%s" stroke="#202020" stroke-width="3"/>`+"\n", x, y, fill)
	fmt.Fprintf(s, `<text x="%d" y="%d" font-size="40" font-weight="bold" fill="%s">%s</text>`+"\n", x, y+6, ink, strings.ToUpper(string(now.letter())))
	if now == King {
		return
	}
	for i, k := range p.Kinds {
		weight := ""
		if p.State == int8(i) {
			weight = ` font-weight="bold" text-decoration="underline"`
		}
		fmt.Fprintf(s, `<text x="%d" y="%d" font-size="22"%s fill="%s">%c</text>`+"\n", x-14+28*i, y+30, weight, ink, k.letter())
	}
}

//go:embed board.js
var boardJS string

// Script returns JavaScript for a page. It defines board, as package games describes it, with the
// rules, turn and choice: draw returns the SVG of [Board.SVG] for a position's text. An arrow that is
// a selection is drawn as a mark.
func Script() string { return boardJS }
