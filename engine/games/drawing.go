package games

import (
	"cmp"
	"fmt"
	"strings"
	"unicode/utf8"

	"qhsh/engine"
	"qhsh/engine/printable"
	"qhsh/engine/render"
)

// TextOptions are how a board is drawn as text. The zero value is the default.
type TextOptions struct {
	Style   string        // one of the game's Styles; empty: the default
	Flip    bool          // the second side is at the bottom
	Color   bool          // with ANSI escape sequences
	Last    bool          // mark the last move
	Targets []engine.Move // mark the target points of these moves
}

// A Board says how the boards of a game are drawn. Points are named as in its Look.
type Board struct {
	Look  func(engine.Game) *render.Look
	Items func(engine.Position) []render.Item
	// More returns what else stands on pictures, but not on the boards of web pages, whose scripts have the rules
	// alone; nil: nothing.
	More func(engine.Position) []render.Item
	// Ends returns the points of a move in a position, legal or not, from the first one to the last; none of an
	// outcome of chance.
	Ends func(p engine.Position, move string) ([]string, error)
	// Point parses a point's name in any case. The error says what is valid.
	Point func(p engine.Position, text string) (string, error)
	// Rules are those of the game in JavaScript, so that a web page need not contain the positions of a
	// line, and its readers can try moves: an expression, an object with functions whose positions and
	// moves are texts in the game's notation:
	//
	//	items(position)       returns Items, each as a list of its shape, point and text
	//	ends(move)            returns Ends
	//	path(move, position)  the points at which a reader makes the move, if these are others
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
	//
	// and, if readers can set up a position, an object edit with
	//
	//	pieces                        the shapes of the pieces
	//	empty(position)               returns the board without those that can be removed
	//	put(position, point, piece)   returns the position with a piece on a point, or with none if it is empty; it
	//	                              may break any rule
	//	handOver(position)            returns the position with the other side to move
	//	side(position)                returns the name of the side to move
	Rules func(engine.Game) string
}

// Draw returns a position's board as text, every line ending in a newline: drawn by its Row or from its Board, or the
// text of the position.
func (t Table) Draw(p engine.Position, l TextOptions) string {
	switch r := t.Row(p.Game()); {
	case r.Draw != nil:
		return r.Draw(p, l)
	case r.Board != nil:
		return r.Board.Look(p.Game()).Text(r.Board.Items(p), r.Board.textOptions(p, l))
	}
	return p.String() + "\n"
}

// textOptions returns the options for a board of text.
func (b *Board) textOptions(p engine.Position, l TextOptions) render.TextOptions {
	o := render.TextOptions{Flip: l.Flip, Color: l.Color}
	if l.Last {
		o.Last = b.last(p)
	}
	for _, m := range l.Targets {
		if ends, err := b.Ends(p, p.Format(m)); err == nil && len(ends) > 0 {
			o.Targets = append(o.Targets, ends[len(ends)-1])
		}
	}
	return o
}

// last returns the points of the last move; none if there is none.
func (b *Board) last(p engine.Position) []string {
	before, m := p.Undo()
	if before == nil {
		return nil
	}
	ends, _ := b.Ends(before, before.Format(m)) // a move that was played has a valid text
	return ends
}

// Script returns JavaScript for a web page of a game. It defines the constant board, an object with the functions
// of Board.Rules and
//
//	draw(position, {last, arrows, flip, chinese, letters, grouped})
//	    returns an SVG with the move last marked, the moves arrows pointed out, the board flipped,
//	    the edges in Chinese, letters for pieces, and what stands on a point in a group of its own with
//	    the attribute data-point; what does not apply is ignored
//	points(move, flip, position)
//	    returns the points [x, y] of the SVG at which a reader makes the move in the position,
//	    one after the other; none of an outcome of chance
//	names, place(name, flip)
//	    the names of all points, and the [x, y] of one
//
// It is empty if the game has no Board.
func (t Table) Script(g engine.Game) string {
	b := t.Row(g).Board
	if b == nil {
		return ""
	}
	return b.Look(g).Script(b.Rules(g))
}

// ImageOptions are how a board is drawn as an image. The zero value marks the last move and nothing
// else.
type ImageOptions struct {
	Letters bool     // pieces are letters
	Chinese bool     // the names of files are Chinese, if the game has such
	Flip    bool     // the second side is at the bottom
	Last    string   // a move, legal or not, to mark instead of the last one
	Arrows  []string // moves, legal or not
	Marks   []string // points
	Sign    string   // for the last move, see render.SVGOptions; a picture that is not a Board's has none
	Instead string   // a move instead of the last one, as an arrow; likewise
	Width   int      // in pixels; 0: scales to the available space
}

// SVG returns a position's board as SVG: drawn from its Board, or its text drawing. The error begins with the name
// of the invalid field of ImageOptions in lower case.
func (t Table) SVG(p engine.Position, pic ImageOptions) (string, error) {
	r := t.Row(p.Game())
	if r.Board != nil {
		return r.Board.svg(p, pic)
	}
	for _, field := range []struct {
		name  string
		given bool
	}{
		{"letters", pic.Letters}, {"chinese", pic.Chinese}, {"flip", pic.Flip}, {"last", pic.Last != ""}, {"arrows", len(pic.Arrows) > 0}, {"marks", len(pic.Marks) > 0},
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

func (b *Board) svg(p engine.Position, pic ImageOptions) (string, error) {
	look := b.Look(p.Game())
	if pic.Letters && !look.HasLetters() {
		return "", fmt.Errorf("letters: the pieces of %s have no others", engine.Title(p.Game()))
	}
	o := render.SVGOptions{Letters: pic.Letters, Chinese: pic.Chinese, Flip: pic.Flip, Width: pic.Width, Last: b.last(p), Sign: pic.Sign}
	onBoard := func(points []string, err error) ([]string, error) {
		for _, point := range points {
			if _, ok := look.Points[point]; !ok && err == nil {
				err = fmt.Errorf("%s is not on the board", point)
			}
		}
		return points, err
	}
	before, _ := p.Undo()
	if before == nil {
		before = p
	}
	var err error
	if pic.Last != "" {
		if o.Last, err = onBoard(b.Ends(before, pic.Last)); err != nil {
			return "", fmt.Errorf("last: %w", err)
		}
	}
	if pic.Instead != "" {
		points, err := onBoard(b.Ends(before, pic.Instead))
		if err != nil {
			return "", fmt.Errorf("instead: %w", err)
		}
		o.Arrows = append(o.Arrows, points)
	}
	for _, move := range pic.Arrows {
		points, err := onBoard(b.Ends(p, move))
		if err == nil && len(points) == 2 && points[0] == points[1] {
			err = fmt.Errorf("%s: it goes nowhere", move)
		}
		if err != nil {
			return "", fmt.Errorf("arrows: %w", err)
		}
		o.Arrows = append(o.Arrows, points)
	}
	for _, text := range pic.Marks {
		point, err := b.Point(p, text)
		if _, err = onBoard([]string{point}, err); err != nil {
			return "", fmt.Errorf("marks: %w", err)
		}
		o.Marks = append(o.Marks, point)
	}
	items := b.Items(p)
	if b.More != nil {
		items = append(items, b.More(p)...)
	}
	return look.SVG(items, o), nil
}

// Status describes the state of a game in one line.
func (t Table) Status(p engine.Position) string {
	if r := t.Row(p.Game()); r.Status != nil {
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
	r := t.Row(g)
	return cmp.Or(r.Words[language][word], r.OpeningWords[language][word], word)
}
