package games

import (
	"fmt"
	"html"
	"io"
	"strings"
	"unicode/utf8"

	"qhsh/engine"
	"qhsh/engine/render"
)

// A TextDrawer is a Row whose boards can be drawn as text.
type TextDrawer interface {
	// Styles returns the names of the ways to draw it in lower case, the usual one first; none if
	// there is only one, which heeds nothing of a Look.
	Styles() []string
	// Draw returns the board, with a line feed behind each line.
	Draw(engine.Position, TextOptions) string
}

// A TextOptions says how a board is drawn as text. The zero TextOptions is the usual one.
type TextOptions struct {
	Style   string        // one of the game's Styles; empty: the usual one
	Flip    bool          // the second side is at the bottom
	Color   bool          // with ANSI escape sequences
	Last    bool          // mark the last move
	Targets []engine.Move // mark where these moves go
}

// Styles returns the names of the styles of a game's boards; none if they are drawn in one way.
func (t Table) Styles(g engine.Game) []string {
	if d, ok := t.row(g).(TextDrawer); ok {
		return d.Styles()
	}
	return nil
}

// Draw returns a position's board as text, each line with a line feed: as its Row draws it, or
// the text of the position.
func (t Table) Draw(p engine.Position, l TextOptions) string {
	if d, ok := t.row(p.Game()).(TextDrawer); ok {
		return d.Draw(p, l)
	}
	return p.String() + "\n"
}

// A SVGDrawer is a Row whose boards can be drawn as a picture.
type SVGDrawer interface {
	// SVG returns the picture as a document. The error begins with the field of Picture that is wrong,
	// in lower case.
	SVG(engine.Position, ImageOptions) (string, error)
}

// A PNGDrawer is a Row whose boards can be drawn in points of colour, too.
type PNGDrawer interface {
	PNG(io.Writer, engine.Position, ImageOptions) error
}

// MaxWidth bounds the width of a Picture in pixels.
const MaxWidth = render.MaxWidth

// A ImageOptions says how a board is drawn as a picture. The zero ImageOptions has the last move marked and
// nothing else.
type ImageOptions struct {
	Letters bool     // pieces are letters
	Flip    bool     // the second side is at the bottom
	Last    string   // a move, legal or not, that is marked in place of the last one
	Arrows  []string // moves, legal or not
	Marks   []string // points
	Width   int      // in pixels; 0: whatever there is room for
}

// SVG returns a picture of a position's board: as its Row draws it, or its drawing as text.
func (t Table) SVG(p engine.Position, pic ImageOptions) (string, error) {
	if d, ok := t.row(p.Game()).(SVGDrawer); ok {
		return d.SVG(p, pic)
	}
	for _, field := range []struct {
		name  string
		given bool
	}{
		{"letters", pic.Letters}, {"flip", pic.Flip}, {"last", pic.Last != ""}, {"arrows", len(pic.Arrows) > 0}, {"marks", len(pic.Marks) > 0},
	} {
		if field.given {
			return "", fmt.Errorf("%s: boards of %s are drawn in one way", field.name, engine.Title(p.Game()))
		}
	}
	return textSVG(t.Draw(p, TextOptions{}), pic.Width), nil
}

// textSVG returns a text as a picture.
func textSVG(text string, width int) string {
	const cell, line = 10, 20
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	columns := 0
	for _, l := range lines {
		columns = max(columns, utf8.RuneCountInString(l))
	}
	w, h := (columns+2)*cell, (len(lines)+1)*line
	size := ""
	if width > 0 {
		size = fmt.Sprintf(` width="%d" height="%d"`, width, (width*h+w/2)/w)
	}
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg"%s viewBox="0 0 %d %d" font-family="monospace" font-size="16">`+"\n", size, w, h)
	fmt.Fprintf(&b, `<rect width="%d" height="%d" fill="#ffffff"/>`+"\n", w, h)
	for i, l := range lines {
		l = strings.TrimRight(l, " ")
		if length := utf8.RuneCountInString(l) * cell; length > 0 {
			fmt.Fprintf(&b, `<text x="%d" y="%d" xml:space="preserve" textLength="%d">%s</text>`+"\n", cell, (i+1)*line, length, html.EscapeString(l))
		}
	}
	b.WriteString("</svg>\n")
	return b.String()
}

// A ScriptDrawer is a Row whose boards can be drawn in a page.
type ScriptDrawer interface {
	// Script returns the JavaScript that draws them; see package render.
	Script() string
}

// Script returns the script that draws a game's boards in a page; empty if there is none.
func (t Table) Script(g engine.Game) string {
	if s, ok := t.row(g).(ScriptDrawer); ok {
		return s.Script()
	}
	return ""
}
