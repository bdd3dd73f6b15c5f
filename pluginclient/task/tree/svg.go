package tree

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"qhsh/engine"
	"qhsh/engine/printable"
)

// Dimensions of the drawing, in pixels. The font is monospaced, so that widths can be computed.
const (
	rowHeight  = 26
	boxHeight  = 20
	letterSize = 8 // wider than a letter at 12 pixels in any usual font
	columnGap  = 36
	margin     = 10
)

// SVG draws the tree from left to right: a column per ply, a row per leaf, parents centred on their
// children. The best move of each position has a thick edge; merged and return nodes have a dashed
// frame, positions where chance moves another colour. Details of a move are in its tooltip.
func (t *Tree) SVG(w io.Writer) error {
	d := t.layout()
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" font-family="monospace" font-size="12">`+"\n",
		d.width, d.height, d.width, d.height)
	fmt.Fprintf(&b, `<rect width="%d" height="%d" fill="#fff"/>`+"\n", d.width, d.height)
	b.WriteString(`<g fill="none" stroke="#90a4ae">` + "\n")
	t.Root.walk(func(n *Node) { d.edges(&b, n) })
	b.WriteString("</g>\n")
	t.Root.walk(func(n *Node) { d.box(&b, n) })
	b.WriteString("</svg>\n")
	_, err := io.WriteString(w, b.String())
	return err
}

type layout struct {
	width, height int
	x             []int         // left edges of the boxes, by ply
	y             map[*Node]int // centres of the boxes
	columns       []int         // widths of the boxes, by ply
}

func (t *Tree) layout() layout {
	d := layout{y: map[*Node]int{}}
	t.Root.walk(func(n *Node) {
		for len(d.columns) <= n.ply {
			d.columns = append(d.columns, 0)
		}
		d.columns[n.ply] = max(d.columns[n.ply], letterSize*(printable.Width.StringWidth(n.label())+2))
	})
	x := margin
	for _, width := range d.columns {
		d.x = append(d.x, x)
		x += width + columnGap
	}
	rows := 0
	d.place(t.Root, &rows)
	d.width = x - columnGap + margin
	d.height = 2*margin + rows*rowHeight
	return d
}

// place sets the y coordinates of a node and its descendants.
func (d *layout) place(n *Node, rows *int) {
	if len(n.Children) == 0 {
		d.y[n] = margin + *rows*rowHeight + rowHeight/2
		*rows++
		return
	}
	for _, child := range n.Children {
		d.place(child, rows)
	}
	d.y[n] = (d.y[n.Children[0]] + d.y[n.Children[len(n.Children)-1]]) / 2
}

func (n *Node) label() string {
	if n.Parent == nil {
		return "start"
	}
	return strings.Join(n.summary(), " ")
}

// summary returns the move before a node, its odds, and the value.
func (n *Node) summary() []string {
	words := []string{n.moveText()}
	if n.Odds > 0 {
		words = append(words, fmt.Sprintf("odds %.3g", n.Odds))
	}
	if value := n.Value.Pawns(); value != "" {
		words = append(words, value)
	}
	return words
}

func (d *layout) edges(b *strings.Builder, n *Node) {
	for i, child := range n.Children {
		x1, x2 := d.x[n.ply]+d.columns[n.ply], d.x[child.ply]
		y1, y2, middle := d.y[n], d.y[child], (d.x[n.ply]+d.columns[n.ply]+d.x[child.ply])/2
		strong := ""
		if i == 0 && child.Rank > 0 {
			strong = ` stroke="#455a64" stroke-width="2"`
		}
		fmt.Fprintf(b, `<path d="M%d %dC%d %d %d %d %d %d"%s/>`+"\n", x1, y1, middle, y1, middle, y2, x2, y2, strong)
	}
}

// Fill colours of boxes.
const (
	fillPlain  = "#eceff1"
	fillOver   = "#ffe0b2"
	fillFailed = "#ffcdd2"
	fillChance = "#e1bee7"
)

func (d *layout) box(b *strings.Builder, n *Node) {
	fill, dash := fillPlain, ""
	switch {
	case n.Kind == Over:
		fill = fillOver
	case n.Kind == Failed:
		fill = fillFailed
	case n.Pos.Turn() == engine.Chance:
		fill = fillChance
	}
	if n.Kind == Merged || n.Kind == Return {
		dash = ` stroke-dasharray="4 3"`
	}
	tooltip := n.Pos.String()
	if n.Parent != nil {
		tooltip = strings.Join(n.fields(), "  ")
	}
	x, y := d.x[n.ply], d.y[n]
	fmt.Fprintf(b, `<g><title>%s</title><rect x="%d" y="%d" width="%d" height="%d" rx="5" fill="%s" stroke="#607d8b"%s/><text x="%d" y="%d">%s</text></g>`+"\n",
		printable.Markup(tooltip), x, y-boxHeight/2, d.columns[n.ply], boxHeight, fill, dash, x+letterSize, y+4, printable.Markup(n.label()))
}

// DOT writes the tree as a Graphviz graph. Equal positions are one node, a diamond where chance moves;
// dashed edges lead to a position drawn elsewhere. Edges are labelled with moves, odds and values; the best move of a position
// is bold.
func (t *Tree) DOT(w io.Writer) error {
	ids := t.ids()
	var b strings.Builder
	b.WriteString("digraph tree {\n\trankdir=LR;\n\tnode [shape=point, fontname=\"monospace\"];\n\tedge [fontname=\"monospace\"];\n")
	t.Root.walk(func(n *Node) {
		if n.Kind != Merged && (n.Kind != Return || n.Same == nil) {
			fmt.Fprintf(&b, "\t%q%s;\n", ids[n], n.dotNode())
		}
	})
	t.Root.walk(func(n *Node) {
		for i, child := range n.Children {
			fmt.Fprintf(&b, "\t%q -> %q [%s];\n", ids[n], ids[cmp.Or(child.Same, child)], child.dotEdge(i == 0 && child.Rank > 0))
		}
	})
	b.WriteString("}\n")
	_, err := io.WriteString(w, b.String())
	return err
}

func (n *Node) dotNode() string {
	switch {
	case n.Parent == nil:
		return fmt.Sprintf(" [shape=box, label=%s]", dotString(n.Pos.String()))
	case n.Kind == Over || n.Kind == Failed || n.Kind == Return:
		return fmt.Sprintf(" [shape=plaintext, label=%s]", dotString(n.note()))
	case n.Pos.Turn() == engine.Chance:
		return ` [shape=diamond, label="", width=0.2, height=0.2]`
	}
	return ""
}

func (n *Node) dotEdge(best bool) string {
	attributes := "label=" + dotString(strings.Join(n.summary(), "\n"))
	switch {
	case n.Kind == Return && n.Same != nil:
		attributes += ", style=dashed, constraint=false"
	case n.Kind == Merged:
		attributes += ", style=dashed"
	case best:
		attributes += ", penwidth=2"
	}
	return attributes
}

// dotString returns a quoted DOT string. A line feed becomes a line break.
func dotString(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(printable.Line(line))
	}
	return `"` + strings.Join(lines, `\n`) + `"`
}
