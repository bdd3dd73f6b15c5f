package quoridor

import _ "embed"

//go:embed board.js
var boardJS string

// Script returns JavaScript for a page. It defines board, as package games describes it, with the
// rules. A click in a cell moves the pawn there; one in a groove builds a wall that begins there and
// goes to the right or downwards.
func Script() string { return boardJS }
