package checkerboard

import (
	"slices"
	"strings"

	"qhsh/engine"
	"qhsh/engine/checkers"
	"qhsh/pluginclient/protocol/checkerboard/abi"
)

const setGameHistory = "set gamehist"

// gameHistory returns the game up to p as a FEN and the moves since: those after the last
// irreversible move, since earlier positions cannot occur again, and of these as many as fit into
// the buffer that engines expect.
func gameHistory(p *checkers.Position) string {
	var moves []string
	start, room := p, abi.CommandSize-1-len(setGameHistory+" ")
	text := historyText(p, nil)
	for range p.QuietPlies() {
		before, m := start.Previous()
		moves = append(moves, before.Format(engine.Move(m)))
		longer := historyText(before, moves)
		if len(longer) > room {
			break
		}
		start, text = before, longer
	}
	return text
}

// historyText formats a position and the moves since, of which the last is the first in backward.
func historyText(start *checkers.Position, backward []string) string {
	board := start.Board()
	words := append(slices.Clone(backward), board.String())
	slices.Reverse(words)
	return strings.Join(words, " ")
}
