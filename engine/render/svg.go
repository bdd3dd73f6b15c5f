package render

import (
	"fmt"
	"strings"

	"qhsh/engine/xiangqi"
)

// An Arrow points from one point to another.
type Arrow struct{ From, To xiangqi.Square }

// SVGOptions say how a board is drawn.
type SVGOptions struct {
	Letters bool             // pieces show the letters of a FEN; else hanzi
	Flip    bool             // Black's side is at the bottom
	Last    xiangqi.Move     // its two points are marked; zero: none
	Targets []xiangqi.Square // points that are marked: a dot, or a ring around a piece
	Arrows  []Arrow
}

// The measures of the picture. Points are unit apart, and the outermost ones are as
// far from the edge. All of them are whole numbers, so that every program writes the
// same picture in the same way.
const (
	unit   = 50
	width  = 10 * unit
	height = 11 * unit
)

// The fixed parts of the picture, which board.js uses as well. Styles are attributes:
// a style element would apply to a whole page that the picture is part of.
var (
	svgHead = fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" role="img" aria-label="Xiangqi board">`, width, height) +
		`<defs><marker id="arrowhead" viewBox="0 0 8 8" refX="6" refY="4" markerWidth="4" markerHeight="4" orient="auto">` +
		`<path d="M0 0 8 4 0 8z" fill="#1565c0"/></marker></defs>` + "\n" +
		fmt.Sprintf(`<rect width="%d" height="%d" fill="#f2d9a6"/>`, width, height) + "\n" +
		`<path d="` + gridPath() + `" fill="none" stroke="#6b4a1f" stroke-width="2" stroke-linecap="square"/>` + "\n"
	river = fmt.Sprintf(`<g font-family="%s" font-size="26" fill="#8a6533" text-anchor="middle"><text x="150" y="284">楚河</text><text x="350" y="284">漢界</text></g>`, fonts) + "\n"
)

const fonts = `'Noto Serif CJK TC','Songti TC','PMingLiU','Noto Sans CJK TC','WenQuanYi Zen Hei',serif`

// The openings of groups. What belongs together shares its attributes.
const (
	groupNames   = `<g font-family="sans-serif" font-size="15" fill="#6b4a1f" text-anchor="middle">`
	groupLast    = `<g fill="none" stroke="#2e7d32" stroke-width="4">`
	groupTargets = `<g stroke="#2e7d32" stroke-width="5">`
	groupRed     = `<g font-family="` + fonts + `" font-size="28" text-anchor="middle" stroke="#b71c1c" fill="#b71c1c">`
	groupBlack   = `<g font-family="` + fonts + `" font-size="28" text-anchor="middle" stroke="#212121" fill="#212121">`
	groupArrows  = `<g stroke="#1565c0" stroke-width="8" stroke-opacity=".75" stroke-linecap="round" marker-end="url(#arrowhead)">`
	groupEnd     = "</g>\n"
	svgEnd       = "</svg>\n"
)

// gridPath is the lines of the board: the river parts all files but the outer ones,
// and a palace has its diagonals.
func gridPath() string {
	const left, right, top, bottom = unit, 9 * unit, unit, 10 * unit
	var b strings.Builder
	line := func(x1, y1, x2, y2 int) { fmt.Fprintf(&b, "M%d %dL%d %d", x1, y1, x2, y2) }
	for y := top; y <= bottom; y += unit {
		line(left, y, right, y)
	}
	for x := left; x <= right; x += unit {
		if x == left || x == right {
			line(x, top, x, bottom)
			continue
		}
		line(x, top, x, 5*unit)
		line(x, 6*unit, x, bottom)
	}
	for _, y := range []int{top, bottom - 2*unit} {
		line(4*unit, y, 6*unit, y+2*unit)
		line(6*unit, y, 4*unit, y+2*unit)
	}
	return b.String()
}

// SVG is the board as a picture that needs nothing from elsewhere, 500 wide and 550
// high. Hanzi are shown in a font of the viewer's.
func SVG(p *xiangqi.Position, o SVGOptions) string {
	var b strings.Builder
	b.WriteString(svgHead)
	if !o.Letters {
		b.WriteString(river)
	}
	o.names(&b)
	o.last(&b)
	o.pieces(&b, p, xiangqi.Red, groupRed)
	o.pieces(&b, p, xiangqi.Black, groupBlack)
	o.targets(&b, p)
	o.arrows(&b)
	b.WriteString(svgEnd)
	return b.String()
}

// place is where a point is in the picture.
func (o SVGOptions) place(sq xiangqi.Square) (x, y int) {
	file, rank := int(sq%9), int(sq/9)
	if o.Flip {
		file, rank = 8-file, 9-rank
	}
	return unit + unit*file, height - unit - unit*rank
}

// names writes the names of the files and the ranks around the board.
func (o SVGOptions) names(b *strings.Builder) {
	b.WriteString(groupNames)
	for file := range 9 {
		x, _ := o.place(xiangqi.Square(file))
		fmt.Fprintf(b, `<text x="%d" y="19">%c</text><text x="%d" y="542">%c</text>`, x, 'A'+file, x, 'A'+file)
	}
	for rank := range 10 {
		_, y := o.place(xiangqi.Square(rank * 9))
		fmt.Fprintf(b, `<text x="14" y="%d">%d</text><text x="486" y="%d">%d</text>`, y+5, rank, y+5, rank)
	}
	b.WriteString(groupEnd)
}

// last frames the points of the last move.
func (o SVGOptions) last(b *strings.Builder) {
	if o.Last == 0 {
		return
	}
	b.WriteString(groupLast)
	for _, sq := range []xiangqi.Square{o.Last.From(), o.Last.To()} {
		x, y := o.place(sq)
		fmt.Fprintf(b, `<rect x="%d" y="%d" width="46" height="46" rx="6"/>`, x-23, y-23)
	}
	b.WriteString(groupEnd)
}

func (o SVGOptions) pieces(b *strings.Builder, p *xiangqi.Position, side xiangqi.Side, group string) {
	b.WriteString(group)
	for sq := xiangqi.Square(0); sq < 90; sq++ {
		piece := p.At(sq)
		if piece == xiangqi.Empty || piece.Side() != side {
			continue
		}
		x, y := o.place(sq)
		name := hanzi[side][piece.Kind()]
		if o.Letters {
			name = letterOf(piece)
		}
		fmt.Fprintf(b, `<circle cx="%d" cy="%d" r="21" fill="#fff8e7" stroke-width="2"/><text x="%d" y="%d" stroke="none">%s</text>`,
			x, y, x, y+10, name)
	}
	b.WriteString(groupEnd)
}

func (o SVGOptions) targets(b *strings.Builder, p *xiangqi.Position) {
	if len(o.Targets) == 0 {
		return
	}
	b.WriteString(groupTargets)
	for _, sq := range o.Targets {
		x, y := o.place(sq)
		shape := `r="6" fill="#2e7d32"`
		if p.At(sq) != xiangqi.Empty {
			shape = `r="23" fill="none"`
		}
		fmt.Fprintf(b, `<circle cx="%d" cy="%d" %s/>`, x, y, shape)
	}
	b.WriteString(groupEnd)
}

func (o SVGOptions) arrows(b *strings.Builder) {
	if len(o.Arrows) == 0 {
		return
	}
	b.WriteString(groupArrows)
	for _, a := range o.Arrows {
		x1, y1 := o.place(a.From)
		x2, y2 := o.place(a.To)
		fmt.Fprintf(b, `<path d="M%d %dL%d %d"/>`, x1, y1, x2, y2)
	}
	b.WriteString(groupEnd)
}
