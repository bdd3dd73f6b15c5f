package render

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"qhsh/engine/lazyregexp"
	"qhsh/engine/printable"
)

// SVGOptions say how a board is drawn as a picture. Points are named as in the Look.
type SVGOptions struct {
	Letters bool // pieces are letters
	Flip    bool // the second side is at the bottom
	Chinese bool // the names at the edges are Chinese
	Last    []string
	Marks   []string
	Arrows  [][]string // the points of moves; one of a single point is a mark
	Sign    string     // for the move Last, such as ?! or !!, at the point where it ends; of ? and ! alone
	Width   int        // in pixels, with the height that belongs to it; 0: whatever there is room for
}

// ArrowHead defines the head of arrows, "arrowhead", which has to be the same in all pictures of a page.
const ArrowHead = `<marker id="arrowhead" viewBox="0 0 8 8" refX="6" refY="4" markerWidth="4" markerHeight="4" orient="auto">` +
	`<path d="M0 0 8 4 0 8z" fill="#1565c0"/></marker>` + "\n"

// SVG returns a board as a picture that needs nothing from elsewhere.
func (l *Look) SVG(items []Item, o SVGOptions) string {
	skin := l.skin(o.Letters)
	layers := make([]strings.Builder, len(l.Layers))
	draw := func(shape, from, to, text string) {
		begin, end := l.place(from, o.Flip), l.place(to, o.Flip)
		if s, ok := skin.Shapes[shape+begin.Kind]; ok {
			layers[s.Layer].WriteString(s.fill(begin, end, text))
		}
	}
	occupied := map[string]bool{}
	mark := func(point string) {
		shape := "dot"
		if occupied[point] {
			shape = "ring"
		}
		draw(shape, point, point, "")
	}
	for _, point := range o.Last {
		draw("last", point, point, "")
	}
	for _, i := range items {
		draw(i.Shape, i.Point, i.Point, i.Text)
		occupied[i.Point] = true
	}
	for _, point := range o.Marks {
		mark(point)
	}
	for _, move := range o.Arrows {
		if len(move) == 1 {
			mark(move[0])
		} else {
			draw("arrow", move[0], move[len(move)-1], "")
		}
	}
	var b strings.Builder
	head := skin.Head
	if o.Width > 0 {
		head = strings.Replace(head, "<svg ", fmt.Sprintf(`<svg width="%d" height="%d" `, o.Width, (o.Width*l.Height+l.Width/2)/l.Width), 1)
	}
	b.WriteString(head + l.Edges[index(o.Flip)][index(o.Chinese)])
	for i := range layers {
		if text := layers[i].String(); text != "" {
			b.WriteString(l.Layers[i][0] + text + l.Layers[i][1])
		}
	}
	if n := len(o.Last); n > 0 && o.Sign != "" {
		b.WriteString(l.sign(l.place(o.Last[n-1], o.Flip), o.Sign))
	}
	b.WriteString("</svg>\n")
	return b.String()
}

// signColours are those of the badges of signs; of others, that of !?.
var signColours = map[string]string{"??": "#c2185b", "?": "#e64a19", "?!": "#f9a825", "!": "#2e7d32", "!!": "#00796b", "!?": "#6a1b9a"}

// sign returns a badge with a sign beside a point. It is drawn as lines, since not every image has letters.
func (l *Look) sign(at Point, text string) string {
	unit := float64(l.Width) / 60
	x, y := float64(at.X)+1.7*unit, float64(at.Y)-1.7*unit
	var b strings.Builder
	fmt.Fprintf(&b, `<circle cx="%.1f" cy="%.1f" r="%.1f" fill="%s" stroke="#ffffff" stroke-width="%.1f"/>`+"\n",
		x, y, 1.9*unit, cmp.Or(signColours[text], signColours["!?"]), .2*unit)
	x -= .55 * unit * float64(len(text)-1)
	for _, r := range text {
		points := []float64{0, -.9, 0, .1}
		if r == '?' {
			points = []float64{-.5, -.6, -.3, -.95, .3, -.95, .5, -.6, .4, -.3, 0, 0, 0, .3}
		}
		line := "M"
		for i := 0; i < len(points); i += 2 {
			line += fmt.Sprintf("%.1f %.1fL", x+points[i]*unit, y+points[i+1]*unit)
		}
		fmt.Fprintf(&b, `<path d="%s" fill="none" stroke="#ffffff" stroke-width="%.1f" stroke-linecap="round"/>`+"\n", strings.TrimSuffix(line, "L"), .28*unit)
		fmt.Fprintf(&b, `<circle cx="%.1f" cy="%.1f" r="%.1f" fill="#ffffff"/>`+"\n", x, y+.75*unit, .2*unit)
		x += 1.1 * unit
	}
	return b.String()
}

func index(b bool) int {
	if b {
		return 1
	}
	return 0
}

var placeholder = lazyregexp.New(`\$([xyXYt])([+-]\d+)?`)

// fill returns the text of a shape.
func (s Shape) fill(from, to Point, text string) string {
	return placeholder().ReplaceAllStringFunc(s.SVG, func(found string) string {
		n := map[byte]int{'x': from.X, 'y': from.Y, 'X': to.X, 'Y': to.Y}[found[1]]
		if found[1] == 't' {
			return printable.Markup(text) + found[2:]
		}
		more, _ := strconv.Atoi(found[2:]) // 0 if there is none
		return strconv.Itoa(n + more)
	})
}
