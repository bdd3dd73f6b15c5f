package checkers

import (
	"fmt"
	"strconv"
	"strings"

	"qhsh/engine"
	"qhsh/engine/render"
)

// Sizes in SVG units: 8 squares and a margin on all sides.
const (
	cell      = 50
	margin    = 20
	boardSize = 8*cell + 2*margin
)

// The layers of the picture.
const (
	layerMarked = iota
	layerPieces
	layerPointed
	layerCount
)

// shapes are those of all variants. Kings have a ring.
var shapes = func() map[string]render.Shape {
	man := func(fill, line string) string {
		return fmt.Sprintf(`<circle cx="$x" cy="$y" r="20" fill="%s" stroke="%s" stroke-width="2"/>`+"\n", fill, line)
	}
	const crown = `<circle cx="$x" cy="$y" r="11" fill="none" stroke="#c9a227" stroke-width="4"/>` + "\n"
	black, white := man("#2b2b2b", "#c8c8c8"), man("#fdfdf6", "#5a5a5a")
	dot := render.Shape{Layer: layerPointed, SVG: `<circle cx="$x" cy="$y" r="8" fill="#2e7d32"/>` + "\n"}
	return map[string]render.Shape{
		"b":     {Layer: layerPieces, SVG: black, Text: "b", Side: engine.Turn(Black)},
		"B":     {Layer: layerPieces, SVG: black + crown, Text: "B", Side: engine.Turn(Black)},
		"w":     {Layer: layerPieces, SVG: white, Text: "w", Side: engine.Turn(White)},
		"W":     {Layer: layerPieces, SVG: white + crown, Text: "W", Side: engine.Turn(White)},
		"last":  {Layer: layerMarked, SVG: `<rect x="$x-25" y="$y-25" width="50" height="50" fill="#4caf50" fill-opacity="0.4"/>` + "\n"},
		"dot":   dot,
		"ring":  dot,
		"arrow": {Layer: layerPointed, SVG: `<path d="M$x $yL$X $Y" fill="none" stroke="#1565c0" stroke-width="6" stroke-linecap="round" marker-end="url(#arrowhead)"/>` + "\n"},
	}
}()

// Look describes the board of a variant, with White at the bottom. Its points are the dark squares by their numbers.
//
// Italian and Spanish checkers are played with a dark corner on each player's right, so that their boards are
// mirrored. Their squares have only numbers, each in its corner; a board of text has the first and the last one
// of each row. The others have algebraic coordinates.
func Look(v Variant) *render.Look {
	l := &render.Look{Width: boardSize, Height: boardSize, Points: map[string]render.Point{}, Layers: make([]render.Layer, layerCount)}
	var head strings.Builder
	fmt.Fprintf(&head, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" role="img" aria-label="Checkers board"><defs>`+"\n"+render.ArrowHead+"</defs>\n", boardSize, boardSize)
	fmt.Fprintf(&head, `<rect width="%d" height="%d" fill="#f0e2c4"/>`+"\n", boardSize, boardSize)
	mirrored := variantTable[v].mirrored
	var rows [8][4]string // the numbers from left to right
	for _, sq := range allSquares.Squares() {
		x, y := sq.XY()
		if !mirrored {
			x = 7 - x
		}
		name := strconv.Itoa(v.Number(sq))
		rows[y][x/2] = name
		p := render.Point{X: margin + x*cell + cell/2, Y: margin + y*cell + cell/2}
		l.Points[name] = p
		fmt.Fprintf(&head, `<rect x="%d" y="%d" width="%d" height="%d" fill="#8a6a45"/>`+"\n", p.X-cell/2, p.Y-cell/2, cell, cell)
	}
	l.Skins[0] = render.Skin{Head: head.String(), Shapes: shapes}
	names := &l.Skins[0].Names
	for y, row := range rows {
		if mirrored {
			names.Left, names.Right = append(names.Left, row[0]), append(names.Right, row[3])
			continue
		}
		names.Left, names.Bottom = append(names.Left, strconv.Itoa(8-y)), append(names.Bottom, string(rune('a'+y)))
	}
	for flip := range l.Edges {
		text := edge(l, v, flip == 1)
		l.Edges[flip] = [2]string{text, text}
	}
	return l
}

// edge returns the number of each dark square in its corner, or the files below the board and the ranks beside it.
func edge(l *render.Look, v Variant, flip bool) string {
	var s strings.Builder
	if variantTable[v].mirrored {
		s.WriteString(`<g font-family="sans-serif" font-size="10" fill="#f0e2c4">` + "\n")
		for _, sq := range allSquares.Squares() {
			p := l.Points[strconv.Itoa(v.Number(sq))]
			if flip {
				p.X, p.Y = boardSize-p.X, boardSize-p.Y
			}
			fmt.Fprintf(&s, `<text x="%d" y="%d">%d</text>`+"\n", p.X-cell/2+2, p.Y-cell/2+10, v.Number(sq))
		}
		s.WriteString("</g>\n")
		return s.String()
	}
	s.WriteString(`<g font-family="sans-serif" font-size="12" text-anchor="middle" fill="#4a3820">` + "\n")
	for i := range 8 {
		file, rank := byte('a'+i), byte('8'-i)
		if flip {
			file, rank = byte('h'-i), byte('1'+i)
		}
		at := margin + i*cell + cell/2
		fmt.Fprintf(&s, `<text x="%d" y="%d">%c</text><text x="%d" y="%d">%c</text>`+"\n", at, boardSize-6, file, margin/2, at+4, rank)
	}
	s.WriteString("</g>\n")
	return s.String()
}

// Items returns the pieces of a board: b and w are men, B and W kings.
func (b *Board) Items() (all []render.Item) {
	for c, letters := range [...][2]string{Black: {"b", "B"}, White: {"w", "W"}} {
		for _, sq := range b.side[c].Squares() {
			shape := letters[0]
			if b.kings.Has(sq) {
				shape = letters[1]
			}
			all = append(all, render.Item{Shape: shape, Point: strconv.Itoa(b.variant.Number(sq))})
		}
	}
	return all
}
