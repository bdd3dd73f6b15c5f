package games

import (
	"cmp"
	"fmt"
	"strings"
	"unicode/utf8"

	"qhsh/engine"
	"qhsh/engine/printable"
)

// TextOptions are how a board is drawn as text. The zero value is the default.
type TextOptions struct {
	Style   string        // one of the game's Styles; empty: the default
	Flip    bool          // the second side is at the bottom
	Color   bool          // with ANSI escape sequences
	Last    bool          // mark the last move
	Targets []engine.Move // mark the target points of these moves
}

// Draw returns a position's board as text, every line ending in a newline: drawn by its Row, or the
// text of the position.
func (t Table) Draw(p engine.Position, l TextOptions) string {
	if r := t.Row(p.Game()); r.Draw != nil {
		return r.Draw(p, l)
	}
	return p.String() + "\n"
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
	r := t.Row(p.Game())
	if r.SVG != nil {
		return r.SVG(p, pic)
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
	if r.Picture != nil {
		if svg := r.Picture(p); svg != "" {
			return svg, nil
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

// imageMoves reads what ImageOptions name on a board: the points of the last move, those of the
// arrows, and the marks. ends returns the points of a move, at least two, and last those of the last
// one that was played.
func imageMoves[P any](pic ImageOptions, last []P, ends func(string) ([]P, error), point func(string) (P, error)) (_ []P, arrows [][2]P, marks []P, err error) {
	if pic.Last != "" {
		if last, err = ends(pic.Last); err != nil {
			return nil, nil, nil, fmt.Errorf("last: %w", err)
		}
	}
	for _, text := range pic.Arrows {
		move, err := ends(text)
		if err != nil {
			return nil, nil, nil, fmt.Errorf("arrows: %w", err)
		}
		arrows = append(arrows, [2]P(move))
	}
	for _, text := range pic.Marks {
		p, err := point(text)
		if err != nil {
			return nil, nil, nil, fmt.Errorf("marks: %w", err)
		}
		marks = append(marks, p)
	}
	return last, arrows, marks, nil
}

// Status describes the state of a game in one line.
func (t Table) Status(p engine.Position) string {
	r := t.Row(p.Game())
	if r.Status != nil {
		return r.Status(p)
	}
	return status(p)
}

// status describes the state of a game that has no words of its own for it.
func status(p engine.Position) string {
	switch result := p.Result(); {
	case result.Outcome == engine.Draw:
		return "a draw by " + result.Reason
	case result.Over():
		winner := engine.First
		if result.Outcome == engine.SecondWins {
			winner = engine.Second
		}
		return engine.SideName(p.Game(), winner) + " has won: " + result.Reason
	}
	return engine.SideName(p.Game(), p.Turn()) + " to move"
}

// chinese is the language code.
const chinese = "zh"

// Word returns the translation of a word, or the word itself if it has none.
func (t Table) Word(g engine.Game, language, word string) string {
	return cmp.Or(t.Row(g).Words[language][word], word)
}
