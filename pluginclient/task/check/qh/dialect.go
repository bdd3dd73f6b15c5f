package qh

import (
	"strings"

	"qhsh/engine/xiangqi"
)

// start is the start position.
var start = xiangqi.Start()

// A dialect is a variant of FEN.
type dialect struct {
	horse, elephant string // the letters, lower case
	red             string // the side
}

// dialects has the specification's own letters first.
var dialects = []dialect{{"h", "e", "w"}, {"n", "b", "w"}, {"h", "e", "r"}, {"n", "b", "r"}}

// fen returns board and side.
func (d dialect) fen(pos *xiangqi.Position) string {
	placement, side, _ := strings.Cut(pos.WireFEN(), " ")
	placement = strings.NewReplacer(
		"h", d.horse, "H", strings.ToUpper(d.horse),
		"e", d.elephant, "E", strings.ToUpper(d.elephant),
	).Replace(placement)
	if side == "w" {
		side = d.red
	}
	return placement + " " + side
}
