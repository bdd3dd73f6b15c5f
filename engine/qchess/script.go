package qchess

import _ "embed"

//go:embed board.js
var boardJS string

// Script returns JavaScript for a page. It defines
//
//	drawBoard(position, {flip, last, arrows})
//
// which returns the SVG of [Board.SVG] for a position's text. last and arrows are moves; an arrow
// that is a selection is drawn as a mark.
func Script() string { return boardJS }
