package qchess

import _ "embed"

//go:embed board.js
var boardJS string

// Script returns JavaScript for a page. It defines
//
//	board.draw(position, {flip, last, arrows})
//	board.points(move, flip)
//
// as package games describes them: draw returns the SVG of [Board.SVG] for a position's text. last
// and arrows are moves; an arrow that is a selection is drawn as a mark.
func Script() string { return boardJS }
