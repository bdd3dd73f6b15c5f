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

// TitlesWith returns the titles of the games that have an ability, for a person: "Xiangqi",
// "Xiangqi and Chess".
func TitlesWith[A any](t Table) string { return t.titles(has[A]) }

func has[A any](r Row) bool {
	_, ok := r.(A)
	return ok
}

// titles returns those of the games whose rows have something.
func (t Table) titles(has func(Row) bool) string {
	var titles []string
	for _, r := range t.rows {
		if has(r) {
			titles = append(titles, engine.Title(r.Game()))
		}
	}
	return strings.Join(titles, " and ")
}

// Unsupported returns the error of a member, a command or a flag that is for other games.
func Unsupported[A any](t Table, g engine.Game, what string) error {
	return t.unsupported(g, what, has[A])
}

func (t Table) unsupported(g engine.Game, what string, has func(Row) bool) error {
	return fmt.Errorf("%s: boards of %s have no such thing, those of %s do", what, engine.Title(g), t.titles(has))
}
