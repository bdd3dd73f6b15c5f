package games

import "qhsh/engine"

// A MoveLimiter is a Row of a game without a rule that ends every game.
type MoveLimiter interface {
	// MoveLimit returns the number of moves of each side after which a game of a match is a draw,
	// unless the match has a limit of its own.
	MoveLimit() int
}

// MoveLimit returns the default limit of a match's games in moves of each side; 0 if there is none.
func (t Table) MoveLimit(g engine.Game) int {
	if l, ok := t.row(g).(MoveLimiter); ok {
		return l.MoveLimit()
	}
	return 0
}
