package games

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"qhsh/engine"
	"qhsh/engine/printable"
)

// A TextDrawer is a Row whose boards can be drawn as text.
type TextDrawer interface {
	// Styles returns the names of the styles in lower case, the default first; none if there is
	// only one, which ignores TextOptions.
	Styles() []string
	// Draw returns the board; every line ends in a newline.
	Draw(engine.Position, TextOptions) string
}

// TextOptions are how a board is drawn as text. The zero value is the default.
type TextOptions struct {
	Style   string        // one of the game's Styles; empty: the default
	Flip    bool          // the second side is at the bottom
	Color   bool          // with ANSI escape sequences
	Last    bool          // mark the last move
	Targets []engine.Move // mark the target points of these moves
}

// Styles returns the names of the styles of a game's boards; none if there is only one.
func (t Table) Styles(g engine.Game) []string {
	if d, ok := t.row(g).(TextDrawer); ok {
		return d.Styles()
	}
	return nil
}

// Draw returns a position's board as text, every line ending in a newline: drawn by its Row, or the
// text of the position.
func (t Table) Draw(p engine.Position, l TextOptions) string {
	if d, ok := t.row(p.Game()).(TextDrawer); ok {
		return d.Draw(p, l)
	}
	return p.String() + "\n"
}

// An SVGDrawer is a Row whose boards can be drawn as SVG.
type SVGDrawer interface {
	// SVG returns the SVG document. The error begins with the name of the invalid field of
	// ImageOptions in lower case.
	SVG(engine.Position, ImageOptions) (string, error)
}

// ImageOptions are how a board is drawn as an image. The zero value marks the last move and nothing
// else.
type ImageOptions struct {
	Letters bool     // pieces are letters
	Flip    bool     // the second side is at the bottom
	Last    string   // a move, legal or not, to mark instead of the last one
	Arrows  []string // moves, legal or not
	Marks   []string // points
	Width   int      // in pixels; 0: scales to the available space
}

// SVG returns a position's board as SVG: drawn by its Row, or its text drawing.
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
			return "", fmt.Errorf("%s does not apply to %s", field.name, engine.Title(p.Game()))
		}
	}
	return textSVG(t.Draw(p, TextOptions{}), pic.Width), nil
}

// textSVG returns text as an SVG image.
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
			fmt.Fprintf(&b, `<text x="%d" y="%d" xml:space="preserve" textLength="%d">%s</text>`+"\n", cell, (i+1)*line, length, printable.Markup(l))
		}
	}
	b.WriteString("</svg>\n")
	return b.String()
}

// A ScriptDrawer is a Row whose boards can be drawn by JavaScript in a web page, which also has the
// rules, so that a page need not contain the positions of a line, and its readers can try moves.
type ScriptDrawer interface {
	// Script returns the JavaScript for a game of the row, without a sequence that ends a script
	// element. It defines the constant board, an object with functions whose positions and moves are
	// texts in the game's notation:
	//
	//	draw(position, {last, arrows, flip, chinese, letters})
	//	    returns an SVG with the move last marked, the moves arrows pointed out, the board flipped,
	//	    the edges in Chinese, and letters for pieces; what does not apply is ignored
	//	points(move, flip, position)
	//	    returns the points [x, y] of the SVG at which a reader makes the move in the position,
	//	    one after the other; none of an outcome of chance
	//	moves(position)       returns the legal moves
	//	play(position, move)  returns the position after a legal move, as Position.String does
	//	name(position, move, notation)
	//	    returns a legal move in one of the notations for people, as it is if there is only one
	//
	// and, if a turn may have several moves, or outcomes of chance,
	//
	//	turn(position)  returns 0 or 1, the side whose turn it is, also if an outcome is to be drawn
	//	choice(move)    returns, of an outcome, which the reader chooses, two words of the game: a
	//	                heading, which several may share, and its own; undefined of other moves
	Script(engine.Game) string
}

// Script returns the JavaScript for a game's boards in a web page, see [ScriptDrawer]; empty if there
// is none.
func (t Table) Script(g engine.Game) string {
	if s, ok := t.row(g).(ScriptDrawer); ok {
		return s.Script(g)
	}
	return ""
}
