package records

import (
	"strings"

	"qhsh/engine"
	"qhsh/engine/record"
)

// A Selection is what games have to be. Names are compared without regard to case, and a part of
// one is enough. The zero Selection is of all games.
type Selection struct {
	Player     string            // on either side
	Tags       map[string]string // parts of the values of tags
	Event      string            // or title
	Result     *engine.Outcome   // nil: any
	Position   engine.Position   // that comes up; nil: any
	Variations bool              // it may come up in a variation
}

// Matches reports whether a game of a library is one of the selection.
func (s Selection) Matches(g *record.Game, lib *record.Library) bool {
	for tag, part := range s.Tags {
		if !containsFold(g.Tags.Get(tag), part) {
			return false
		}
	}
	first, second := players(g, lib)
	switch {
	case !containsFold(first, s.Player) && !containsFold(second, s.Player),
		!containsFold(g.Tags.Get("Event"), s.Event) && !containsFold(g.Tags.Get("Title"), s.Event),
		s.Result != nil && g.Result != *s.Result:
		return false
	}
	return s.Position == nil || lib.Reaches(g, s.Position.Key(), s.Variations)
}

// players returns the names of who moves first and who moves second.
func players(g *record.Game, lib *record.Library) (first, second string) {
	return g.Tags.Get(lib.PGN.First), g.Tags.Get(lib.PGN.Second)
}

// containsFold reports whether a text contains another in any case; everything contains "".
func containsFold(text, part string) bool {
	return strings.Contains(strings.ToLower(text), strings.ToLower(part))
}
