package qchess

import _ "embed"

//go:embed board.js
var boardJS string

// Script returns JavaScript for a page. It defines board, as package games describes it, with the
// rules, turn and choice: draw returns the SVG of [Board.SVG] for a position's text. An arrow that is
// a selection is drawn as a mark.
func Script() string { return boardJS }
