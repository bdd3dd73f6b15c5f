package render

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"qhsh/engine"
)

// TextOptions say how a board is written as text. Points are named as in the Look.
type TextOptions struct {
	Letters bool     // pieces are letters
	Flip    bool     // the second side is at the bottom
	Color   bool     // with ANSI escape sequences; without them, marks are characters
	Last    []string // the points of the last move
	Targets []string // points that are pointed out
}

// Text returns a board of a line a rank. Between the points there are gaps of one column, in which
// marks stand: brackets around those of the last move, stars around a target where something stands; an empty
// target is a star.
//
// All cells have the same width. Colour comes last and wraps whole cells in escape sequences, so that a column
// never depends on it. The text keeps to characters whose width is the same everywhere: ASCII is one column wide
// and hanzi are two, whatever the terminal's locale.
func (l *Look) Text(items []Item, o TextOptions) string {
	skin, standing := l.skin(o.Letters), map[string]Shape{}
	wide := 1
	for _, s := range skin.Shapes {
		wide = max(wide, columns(s.Text))
	}
	for _, i := range items {
		if s := skin.Shapes[i.Shape]; s.Text != "" {
			standing[i.Point] = s
		}
	}
	at, xs, ys := map[[2]int]string{}, map[int]bool{}, map[int]bool{}
	for name := range l.Points {
		if p := l.place(name, o.Flip); p.Kind == "" {
			at[[2]int{p.X, p.Y}], xs[p.X], ys[p.Y] = name, true, true
		}
	}
	names := skin.Names
	if o.Flip {
		names.turn()
	}
	margin := 0
	for _, name := range names.Left {
		margin = max(margin, columns(name)+1)
	}
	var b strings.Builder
	line := func(text string) { b.WriteString(strings.TrimRight(text, " ") + "\n") }
	edge := func(files []string) {
		if files == nil {
			return
		}
		text := strings.Repeat(" ", margin+1)
		for _, name := range files {
			text += pad(name, wide) + " "
		}
		line(text)
	}
	edge(names.Top)
	for row, y := range slices.Sorted(maps.Keys(ys)) {
		text, closing := "", " "
		if names.Left != nil {
			text = strings.Repeat(" ", margin-1-columns(names.Left[row])) + names.Left[row] + " "
		}
		for _, x := range slices.Sorted(maps.Keys(xs)) {
			opening, cell, next := " ", strings.Repeat(" ", wide), " "
			if point, ok := at[[2]int{x, y}]; ok {
				opening, cell, next = o.cell(point, standing[point], wide)
			}
			switch { // both points may want a mark in the gap between them
			case closing == " ", closing == opening:
				text += opening
			case opening == " ":
				text += closing
			default:
				text += "|"
			}
			text, closing = text+cell, next
		}
		text += closing
		if names.Right != nil {
			text += " " + names.Right[row]
		}
		line(text)
	}
	edge(names.Bottom)
	return b.String()
}

// turn turns the names with the board.
func (n *Names) turn() {
	reversed := func(names []string) []string { names = slices.Clone(names); slices.Reverse(names); return names }
	n.Top, n.Bottom, n.Left, n.Right = reversed(n.Top), reversed(n.Bottom), reversed(n.Left), reversed(n.Right)
	if n.Top != nil && n.Bottom != nil {
		n.Top, n.Bottom = n.Bottom, n.Top
	}
	if n.Left != nil && n.Right != nil {
		n.Left, n.Right = n.Right, n.Left
	}
}

// columns returns the width of a text: a hanzi has two.
func columns(text string) (n int) {
	for _, r := range text {
		n++
		if r >= utf8.RuneSelf {
			n++
		}
	}
	return n
}

func pad(text string, width int) string {
	return text + strings.Repeat(" ", max(0, width-columns(text)))
}

// cell returns what is written on a point, and the marks in the gaps to both sides of it.
func (o TextOptions) cell(point string, s Shape, width int) (opening, cell, closing string) {
	target, last := slices.Contains(o.Targets, point), slices.Contains(o.Last, point)
	cell = cmp.Or(s.Text, ".")
	if target && s.Text == "" {
		cell = "*"
	}
	opening, closing = " ", " "
	switch {
	case o.Color:
	case target && s.Text != "":
		opening, closing = "*", "*"
	case last:
		opening, closing = "[", "]"
	}
	return opening, o.Paint(pad(cell, width), point, s.Text != "", s.Side), closing
}

// The parameters of the escape sequences (Select Graphic Rendition).
const (
	sgrRed       = "31"
	sgrCyan      = "36"
	sgrGreen     = "32"
	sgrInverse   = "7"
	sgrUnderline = "4"
)

// Paint gives the text of a point its colours, if there are any: a piece that of its side, the last move inverse,
// targets green, or underlined if a piece stands there.
func (o TextOptions) Paint(cell, point string, occupied bool, side engine.Turn) string {
	if !o.Color {
		return cell
	}
	var codes []string
	target := slices.Contains(o.Targets, point)
	switch {
	case target && !occupied:
		codes = append(codes, sgrGreen)
	case occupied && side == engine.First:
		codes = append(codes, sgrRed)
	case occupied:
		codes = append(codes, sgrCyan)
	}
	if target && occupied {
		codes = append(codes, sgrUnderline)
	}
	if slices.Contains(o.Last, point) {
		codes = append(codes, sgrInverse)
	}
	if codes == nil {
		return cell
	}
	return "\x1b[" + strings.Join(codes, ";") + "m" + cell + "\x1b[0m"
}
