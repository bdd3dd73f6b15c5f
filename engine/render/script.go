package render

import (
	_ "embed"
	"encoding/json"
	"strings"

	"qhsh/engine/printable"
)

//go:embed draw.js
var drawJS string

// Script returns JavaScript for a page of a game. It defines board, as package games describes it: draw and
// points here, which draw what SVG does, and all else by the game's rules. These are an expression, an object
// with those functions and
//
//	items(position)       returns the items as lists of a shape, a point and a text
//	ends(move)            returns the points of a move
//	path(move, position)  the same with those between, if that is not the same
//
// It has no sequence that ends a script element.
func (l *Look) Script(rules string) string {
	text, _ := printable.JSON(l) // strings and numbers always have a form
	look := strings.ReplaceAll(string(text), "</", `<\/`)
	return drawJS + "const board = drawing(" + look + ", " + strings.TrimSuffix(strings.TrimSpace(rules), ";") + ");\n"
}

// MarshalJSON returns a point as a list.
func (p Point) MarshalJSON() ([]byte, error) { return json.Marshal([]any{p.X, p.Y, p.Kind}) }
