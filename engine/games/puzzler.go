package games

import (
	"fmt"

	"qhsh/engine"
)

// A Puzzler is a Row of a game of which puzzles can be made: nothing in it is left to chance, and
// its embedded engine scores every line and leaves out banned moves, so that a second search shows
// whether a move is the only one that wins.
type Puzzler interface {
	// ForcedWin returns what the game calls a win that the other side cannot avert, such as "mate".
	ForcedWin() string
}

// ForcedWin returns what a game calls a win that the other side cannot avert. The error is that of
// a game without puzzles, and lists those with them.
func (t Table) ForcedWin(g engine.Game) (string, error) {
	p, ok := t.row(g).(Puzzler)
	if !ok {
		return "", fmt.Errorf("no puzzles can be made of games of %s, only of %s", engine.Title(g), t.titles(has[Puzzler]))
	}
	return p.ForcedWin(), nil
}
