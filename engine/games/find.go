package games

import (
	"fmt"
	"strings"

	"qhsh/engine"
)

// Ability returns a game's Row as one of the interfaces of this package, and reports whether it
// implements it.
func Ability[A any](t Table, g engine.Game) (able A, ok bool) {
	able, ok = t.row(g).(A)
	return able, ok
}

// TitlesWith returns the titles of the games with an ability, for messages: "Xiangqi", "Xiangqi and
// Chess", "Xiangqi, Chess and Go".
func TitlesWith[A any](t Table) string { return t.titles(has[A]) }

func has[A any](r Row) bool {
	_, ok := r.(A)
	return ok
}

// titles returns the titles of the games for whose rows has returns true.
func (t Table) titles(has func(Row) bool) string {
	var titles []string
	for _, r := range t.rows {
		if has(r) {
			titles = append(titles, engine.Title(r.Game()))
		}
	}
	return strings.Replace(strings.Join(titles, " and "), " and ", ", ", len(titles)-2)
}

// Unsupported returns the error of a member, command or flag that a game does not support.
func Unsupported[A any](t Table, g engine.Game, what string) error {
	return t.unsupported(g, what, has[A])
}

func (t Table) unsupported(g engine.Game, what string, has func(Row) bool) error {
	return fmt.Errorf("%s: boards of %s have no such thing, those of %s do", what, engine.Title(g), t.titles(has))
}
