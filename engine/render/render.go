// Package render draws Xiangqi boards: [Board] as lines of text for a terminal,
// [SVG] as a picture, which package raster converts to PNG, and [Script] as JavaScript
// that draws it in a page. The characters in pictures are outlines of our
// own (package glyph), so that no font has a say in how they look.
//
// Nothing here decides anything about a game. What is marked on a board, the last
// move and the points that something points out, comes in with the options.
//
// A text board is made of cells, one for each point, all of the same width. Colour
// comes last and wraps whole cells in escape sequences, so a column never depends
// on it. The text keeps to characters whose width is the same everywhere: ASCII is
// one cell wide and hanzi are two, whatever the terminal's locale. Box-drawing
// characters, the middle dot and the chess symbols of Unicode are not used: their
// width differs from one terminal and font to the next. Without colour, marks are
// ASCII characters around the points, and the sides differ by brackets, by case or
// by their hanzi.
//
// A flipped board is turned round, as Black sees it: rank 0 is on top, file I on the
// left.
//
// Rooms: this file has the options and the colours, ascii.go the diagram, compact.go
// the boards of one line a rank, svg.go the picture, script.go and
// board.js the same picture in JavaScript with the rules of moves.
package render

import (
	"slices"
	"strings"

	"qhsh/engine/xiangqi"
)

// A Style is a way to write a board as text.
type Style int

// The styles.
const (
	ASCII   Style = iota // the diagram of the QHPLUGIN specification: 21 lines of 33 columns, (R) is Red's, [r] Black's
	Letters              // a line a rank, letters rnbakcp in upper case for Red
	Chinese              // a line a rank, hanzi, which are two cells wide
)

// styleNames are the names of the styles, in their order.
var styleNames = []string{"ascii", "letters", "chinese"}

// StyleNames returns the names that ParseStyle knows.
func StyleNames() []string { return slices.Clone(styleNames) }

// ParseStyle finds a style by its name in any case.
func ParseStyle(name string) (Style, bool) {
	i := slices.Index(styleNames, strings.ToLower(name))
	return Style(max(i, 0)), i >= 0
}

func (s Style) String() string {
	if s < 0 || int(s) >= len(styleNames) {
		return "no style"
	}
	return styleNames[s]
}

// Options say how a board is written as text.
type Options struct {
	Style   Style
	Flip    bool             // Black's side is at the bottom
	Color   bool             // ANSI escape sequences; without them, marks are characters
	Last    xiangqi.Move     // its two points are marked; zero: none
	Targets []xiangqi.Square // points that are pointed out
}

// Board returns the board as lines of text, each ended by a line feed. Without colour the
// points of the last move stand in braces, in the styles of one line a rank in square
// brackets; a target is a star, or a piece between stars.
func Board(p *xiangqi.Position, o Options) string {
	if o.Style == ASCII {
		return o.diagram(p)
	}
	return o.compact(p)
}

// isLast reports whether a point belongs to the last move.
func (o Options) isLast(sq xiangqi.Square) bool {
	return o.Last != 0 && (sq == o.Last.From() || sq == o.Last.To())
}

func (o Options) isTarget(sq xiangqi.Square) bool { return slices.Contains(o.Targets, sq) }

// The parameters of the escape sequences (Select Graphic Rendition).
const (
	sgrRed       = "31"
	sgrCyan      = "36"
	sgrGreen     = "32"
	sgrInverse   = "7"
	sgrUnderline = "4"
)

// paint gives a point's cell its colours: pieces that of their side, the last move
// inverse, targets green, or underlined if a piece stands there.
func (o Options) paint(cell string, sq xiangqi.Square, piece xiangqi.Piece) string {
	if !o.Color {
		return cell
	}
	var codes []string
	switch {
	case piece == xiangqi.Empty && o.isTarget(sq):
		codes = append(codes, sgrGreen)
	case piece == xiangqi.Empty:
	case piece.Side() == xiangqi.Red:
		codes = append(codes, sgrRed)
	default:
		codes = append(codes, sgrCyan)
	}
	if piece != xiangqi.Empty && o.isTarget(sq) {
		codes = append(codes, sgrUnderline)
	}
	if o.isLast(sq) {
		codes = append(codes, sgrInverse)
	}
	if len(codes) == 0 {
		return cell
	}
	return "\x1b[" + strings.Join(codes, ";") + "m" + cell + "\x1b[0m"
}
