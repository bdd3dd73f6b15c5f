package record

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"qhsh/engine"
	"qhsh/engine/printable"
)

// A PGNStyle holds what is specific to a game in PGN.
type PGNStyle struct {
	Game    string            // the value of the tag Game, such as "Chinese Chess"
	First   string            // the tag of the player who moves first, such as Red
	Second  string            //
	Start   string            // the position that needs no FEN tag
	ByOrder bool              // 1-0 is a win of the first mover, even if that is not White
	Tags    []Tag             // tags that name the variant of the game
	Formats map[string]string // value of the tag Format by notation, "" being the default; a missing notation has no tag
}

// NewPGNStyle returns the default style: the players are named after the sides.
func NewPGNStyle(g engine.Game) PGNStyle {
	return PGNStyle{
		Game: engine.Title(g), Start: g.Start().String(),
		First: printable.Capital(engine.SideName(g, engine.First)), Second: printable.Capital(engine.SideName(g, engine.Second)),
	}
}

// white is the name of the side whose win is 1-0 in PGN, whoever moves first (Portable Game
// Notation Specification, 8.1.1.7).
const white = "White"

// Players returns the tags of the players: first the one whose win is 1-0, which in a game without
// White is the first mover.
func (s PGNStyle) Players() [2]string {
	if s.Second == white && !s.ByOrder {
		return [2]string{s.Second, s.First}
	}
	return [2]string{s.First, s.Second}
}

// Names returns the names of the players, that of the first mover first, as [Tags.Known] has them.
func (s PGNStyle) Names(t Tags) [2]string { return [2]string{t.Known(s.First), t.Known(s.Second)} }

// Versus returns the names of two players in one text; "" if neither is known.
func Versus(names [2]string) string {
	if names == [2]string{} {
		return ""
	}
	return cmp.Or(names[0], "?") + " – " + cmp.Or(names[1], "?")
}

// outcome converts a result between PGN and the game: they differ if White moves second.
func (s PGNStyle) outcome(o engine.Outcome) engine.Outcome {
	switch {
	case s.Second != white || s.ByOrder:
	case o == engine.FirstWins:
		return engine.SecondWins
	case o == engine.SecondWins:
		return engine.FirstWins
	}
	return o
}

// FormatResult returns a result as the game's PGN writes it: 1-0 is a win of White, if there is
// White and ByOrder is not set, and else of the first mover.
func (s PGNStyle) FormatResult(o engine.Outcome) string { return FormatResult(s.outcome(o)) }

// ParseResult parses a result written by FormatResult.
func (s PGNStyle) ParseResult(text string) (o engine.Outcome, ok bool) {
	o, ok = ParseResult(text)
	return s.outcome(o), ok
}

// openingTags name an opening, which begins with the move of the first mover.
var openingTags = []string{"Opening", "Variation", "SubVariation", "ECO", "ECCO"}

// Swap makes tags those of the game with the sides exchanged: what they say of a player is said of the other one, and
// the opening is not known.
func (s PGNStyle) Swap(t *Tags) {
	old := slices.Clone(*t)
	for _, name := range openingTags {
		t.Set(name, "")
	}
	for _, tag := range old {
		if other := s.otherTag(tag.Name); other != "" {
			t.Set(tag.Name, old.Get(other))
			t.Set(other, tag.Value)
		}
	}
}

// otherTag returns the tag that says of the other player what a tag says of one, such as BlackElo for RedElo; "" if
// it is about neither.
func (s PGNStyle) otherTag(name string) string {
	for side, other := range map[string]string{s.First: s.Second, s.Second: s.First} {
		n := min(len(side), len(name))
		if rest := name[n:]; strings.EqualFold(name[:n], side) && (rest == "" || !unicode.IsLower(rune(rest[0]))) {
			return other + rest
		}
	}
	return ""
}

// chessName returns the game's name for a tag of Western chess.
func (s PGNStyle) chessName(name string) string {
	if s.First == white || s.Second == white {
		return name
	}
	switch name {
	case "White", "WhiteTeam", "WhiteElo", "WhiteTitle", "WhiteType":
		return s.First + name[len(white):]
	}
	return name
}
