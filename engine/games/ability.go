package games

import (
	"fmt"
	"strings"

	"qhsh/engine"
)

// Ability returns what the Row of a game can do beyond naming it, and reports whether it can: A
// is one of the interfaces of this package.
func Ability[A any](t Table, g engine.Game) (able A, ok bool) {
	able, ok = t.row(g).(A)
	return able, ok
}

// Having returns the titles of the games that have an ability, for a person: "Xiangqi",
// "Xiangqi and Quoridor".
func Having[A any](t Table) string {
	var titles []string
	for _, r := range t.rows {
		if _, ok := r.(A); ok {
			titles = append(titles, engine.Title(r.Game()))
		}
	}
	return strings.Join(titles, " and ")
}

// Lacking is the error of a member, a command or a flag that is for other games.
func Lacking[A any](t Table, g engine.Game, what string) error {
	return fmt.Errorf("%s: boards of %s have no such thing, those of %s do", what, engine.Title(g), Having[A](t))
}
