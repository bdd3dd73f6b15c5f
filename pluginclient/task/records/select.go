package records

import (
	"strings"

	"qhsh/engine"
	"qhsh/engine/record"
)

// A Selection is a set of conditions for games. Texts are compared as [record.NameKey] does, and a
// part of the value is enough. The zero Selection matches all games.
type Selection struct {
	Player     string            // on either side
	Tags       map[string]string // by name; parts of their values
	Event      string            // or title
	Result     *engine.Outcome   // nil: any
	Position   engine.Position   // that occurs; nil: any
	Variations bool              // Position may occur in a variation
}

// Matches reports whether a game meets all conditions.
func (s Selection) Matches(g *record.Game, lib *record.Library) bool {
	for tag, part := range s.Tags {
		if !ContainsFold(g.Tags.Get(tag), part) {
			return false
		}
	}
	first, second := players(g, lib)
	switch {
	case !ContainsFold(first, s.Player) && !ContainsFold(second, s.Player),
		!ContainsFold(g.Tags.Get("Event"), s.Event) && !ContainsFold(g.Tags.Get("Title"), s.Event),
		s.Result != nil && g.Result != *s.Result:
		return false
	}
	if s.Position == nil {
		return true
	}
	for _, p := range g.Positions(s.Variations) {
		if p.Key() == s.Position.Key() {
			return true
		}
	}
	return false
}

// IsOf reports whether a side of a game that matches is one that the conditions on players mean: all if there are none.
func (s Selection) IsOf(g *record.Game, lib *record.Library, side engine.Turn) bool {
	names, tags := [2]string{}, lib.PGN.Players()
	names[engine.First], names[engine.Second] = players(g, lib)
	return ContainsFold(names[side], s.Player) && (len(s.Tags) == 0 || s.Tags[tags[side]] != "")
}

// players returns the names of the players who move first and second.
func players(g *record.Game, lib *record.Library) (first, second string) {
	return g.Tags.Get(lib.PGN.First), g.Tags.Get(lib.PGN.Second)
}

// ContainsFold reports whether text contains part, as [record.NameKey] compares them.
func ContainsFold(text, part string) bool {
	return part == "" || strings.Contains(record.NameKey(text), record.NameKey(part))
}
