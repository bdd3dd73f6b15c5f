package checkers

import (
	_ "embed"
	"encoding/json"
	"strings"
)

//go:embed board.js
var boardJS string

// A scriptView is what board.js knows of a board that is seen from one side: the middles of the
// squares by their numbers, and the labels.
type scriptView struct {
	Middles [33][2]int `json:"middles"` // the first is not used
	Labels  string     `json:"labels"`
}

// Script returns JavaScript for a page of a variant. It defines
//
//	board.draw(position, {flip, last, arrows})
//	board.points(move, flip)
//
// as package games describes them: draw returns the SVG of [Board.SVG] for a position's text.
func Script(v Variant) string {
	b := With(v, 0, 0, 0, Black)
	var parts struct {
		Head  string        `json:"head"`
		Order []int         `json:"order"` // the numbers in the order of the squares
		Views [2]scriptView `json:"views"` // as it is, and flipped
	}
	var head strings.Builder
	drawing{Board: &b}.head(&head)
	parts.Head = head.String()
	for _, sq := range allSquares.Squares() {
		parts.Order = append(parts.Order, v.Number(sq))
	}
	for i, flip := range []bool{false, true} {
		p := drawing{SVGOptions{Flip: flip}, &b, b.view(flip)}
		for _, sq := range allSquares.Squares() {
			x, y := p.middle(sq)
			parts.Views[i].Middles[v.Number(sq)] = [2]int{x, y}
		}
		var labels strings.Builder
		p.labels(&labels)
		parts.Views[i].Labels = labels.String()
	}
	text, err := json.Marshal(parts) // it escapes < and >
	if err != nil {
		return "" // strings and numbers always have a form
	}
	return strings.Replace(boardJS, "PARTS", string(text), 1)
}
