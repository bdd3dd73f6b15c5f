package xboard

import (
	"errors"

	"qhsh/engine/xiangqi"
)

// A game is the board of a conversation: the server's own, or what the client knows of its engine's.
type game struct {
	start, pos *xiangqi.Position // pos is nil if it is unknown, or not legal
	playing    bool              // not in force mode
	side       xiangqi.Side      // the engine's side
}

var errUndo = errors.New("there is nothing to take back")

// execute applies a command other than a move to the game; one that does not change the game is ignored.
// If undo or remove fails, the game is unchanged; if setboard fails, the position is unknown.
func (g *game) execute(word, rest string) (err error) {
	switch word {
	case "new": // section 8: the engine plays Black
		*g = game{start: xiangqi.Start(), pos: xiangqi.Start(), playing: true, side: xiangqi.Black}
	case "variant":
		g.start, g.pos = xiangqi.Start(), xiangqi.Start()
	case "setboard":
		if g.pos, err = xiangqi.ParseFEN(rest); err != nil {
			g.pos = nil
		}
		g.start = g.pos
	case "force", "result":
		g.playing = false
	case "go", "playother":
		if g.playing = true; g.pos != nil {
			g.side = g.pos.Side()
			if word == "playother" {
				g.side = g.side.Other()
			}
		}
	case "undo", "remove":
		pos, plies := g.pos, 1
		if word == "remove" {
			plies = 2
		}
		for range plies {
			if pos == nil || pos.Before() == nil {
				return errUndo
			}
			pos = pos.Before()
		}
		g.pos = pos
	}
	return err
}
