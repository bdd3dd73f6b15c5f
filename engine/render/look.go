// Package render draws boards. A game describes once how its boards look, as a [Look], and says what
// stands on one as [Item]s. From these follow the picture ([Look.SVG], which package raster converts to
// PNG), the board of a line a rank ([Look.Text]) and the JavaScript that draws the same picture in a page
// ([Look.Script]).
//
// Nothing here decides anything about a game. What is marked on a board, the last move and the points
// that something points out, comes in with the options.
//
// A flipped board is turned round, as the second side sees it.
//
// Rooms: this file has the description, svg.go the picture, text.go the board for a terminal, script.go
// and draw.js the picture in JavaScript.
package render

import "qhsh/engine"

// A Look describes how the boards of a game look.
type Look struct {
	Width  int              `json:"width"` // of the picture, in its own units
	Height int              `json:"height"`
	Points map[string]Point `json:"points"` // by their names in moves
	Layers []Layer          `json:"layers"` // of shapes, from the lowest one
	Edges  [2][2]string     `json:"edges"`  // SVG of the names around the board: as it is and flipped, and each of these in Chinese
	Skins  [2]Skin          `json:"skins"`  // with the game's own pieces, and with letters; the second has no Head if there is one only
}

// A Point is where something may stand, in the units of the picture. The same shape may look different on
// points of another kind: its name is then followed by that kind.
type Point struct {
	X, Y int
	Kind string
}

// A Layer is a group of shapes: what is written before them and behind them, if there are any.
type Layer [2]string

// A Skin is one of the ways in which a board looks. Its shapes include those of marks: "last" for the
// points of the last move, "dot" for an empty point that is pointed out and "ring" for another one, and
// "arrow".
type Skin struct {
	Head   string           `json:"head"` // SVG from its beginning, with all that lies below the names and the layers
	Shapes map[string]Shape `json:"shapes"`
	Names  Names            `json:"-"`
}

// Names are those at the edges of a board of text, from left to right and from the top. They are turned with the
// board; those that stand at one edge alone stay at it.
type Names struct{ Top, Bottom, Left, Right []string }

// A Shape is something that is drawn on a point.
type Shape struct {
	Layer int `json:"layer"`
	// SVG is its text, in which $x and $y are its point, $X and $Y the point where an arrow ends, with
	// a number added to them as in $x-14, and $t the text of its Item.
	SVG  string      `json:"svg"`
	Text string      `json:"-"` // on a board of text; empty: nothing
	Side engine.Turn `json:"-"` // whose it is
}

// An Item is a shape on a point of a board. A text makes it different from others of its shape.
type Item struct{ Shape, Point, Text string }

// place returns where a point is.
func (l *Look) place(name string, flip bool) Point {
	p := l.Points[name]
	if flip {
		p.X, p.Y = l.Width-p.X, l.Height-p.Y
	}
	return p
}

// skin returns how a board looks.
func (l *Look) skin(letters bool) *Skin {
	return &l.Skins[index(letters && l.HasLetters())]
}

// HasLetters reports whether pieces can be drawn as letters.
func (l *Look) HasLetters() bool { return l.Skins[1].Head != "" }
