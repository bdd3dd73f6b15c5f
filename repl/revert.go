package repl

import (
	"errors"
	"slices"

	"qhsh/engine"
	"qhsh/engine/record"
)

// A change is a game as it was before a command wrote in it.
type change struct {
	game   *record.Game
	before *record.Game    // a copy
	board  engine.Position // where the command was given
}

// maxChanges is how many changes the shell keeps: a game with a thousand comments is copied for each.
const maxChanges = 50

// write changes a game at a place, so that .revert can take it back, and records that the game has
// something to save.
func (s *Shell) write(p *place, change func()) {
	s.rememberChange(p)
	change()
	s.written(p.game)
}

// rememberChange keeps the game of a place as it is now.
func (s *Shell) rememberChange(p *place) {
	if len(s.changes) == maxChanges {
		s.changes = slices.Delete(s.changes, 0, 1)
	}
	s.changes = append(s.changes, change{p.game, p.game.Clone(), p.pos()})
}

// runRevert implements .revert.
func runRevert(c *call) error {
	s := c.shell
	g := s.keptGame(c.engine.session.Position())
	for i, last := range slices.Backward(s.changes) {
		if last.game != g {
			continue
		}
		s.changes = slices.Delete(s.changes, i, i+1)
		*g = *last.before
		s.written(g)
		p, _ := placeIn(g, last.board)
		return c.stand(p)
	}
	return errors.New(".revert: nothing has been written in this game")
}
