package games

import (
	"strings"

	"qhsh/engine"
)

// A PlayerNamer is a Row whose records write more than the name of a player, such as a team.
type PlayerNamer interface {
	// PlayerName returns the name alone.
	PlayerName(text string) string
}

// PlayerName returns the name of a player without what the records of the game put before it.
func (t Table) PlayerName(g engine.Game, text string) string {
	if n, ok := t.row(g).(PlayerNamer); ok {
		return n.PlayerName(text)
	}
	return strings.TrimSpace(text)
}
