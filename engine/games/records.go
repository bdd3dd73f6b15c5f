package games

import (
	"cmp"
	"strings"

	"qhsh/engine"
	"qhsh/engine/record"
)

// Records returns what reads and writes records of a game: in its own forms, or those that every
// game has. It knows the names of the other games of the table.
func (t Table) Records(g engine.Game) *record.Library {
	row := t.Row(g)
	var others []record.OtherGame
	for _, r := range t.rows {
		if r.Game.Name() == row.Game.Name() {
			continue
		}
		o := record.OtherGame{Game: r.Game, Names: append([]string{r.Game.Name(), t.PGN(r.Game).Game}, r.Aliases...)}
		if r.Records != nil {
			o.Formats = r.Records.Formats()
		}
		others = append(others, o)
	}
	if row.Records != nil {
		return row.Records.WithOtherGames(others...)
	}
	return record.NewLibrary(record.Description{
		Game: g, PGN: t.PGN(g), Variants: row.Variants, Parse: t.ReadMove, Format: t.MoveName,
	}).WithOtherGames(others...)
}

// PGN returns how the PGN of a game is written: as its records are, or with the game's and the
// sides' names. Of a game with options but without Variants it is that of the usual ones, which need
// no FEN tag.
func (t Table) PGN(g engine.Game) record.PGNStyle {
	r := t.Row(g)
	switch {
	case r.Records != nil:
		return r.Records.PGN
	case r.Variants != nil:
		return r.Variants.PGN(g)
	}
	return record.NewPGNStyle(r.Game)
}

// PlayerName returns the name of a player without what the records of the game put before it.
func (t Table) PlayerName(g engine.Game, text string) string {
	if r := t.Row(g); r.PlayerName != nil {
		return r.PlayerName(text)
	}
	return strings.TrimSpace(text)
}

// openingPlies is up to which ply of a game its opening has a name.
const openingPlies = 20

// Opening returns the name of a game's opening: the record's own, else the English one of the last position that has one in
// the table, else the record's code. It is empty if there is none.
func (t Table) Opening(g *record.Game) string {
	if name := g.Tags.Known("Opening"); name != "" {
		return name
	}
	name, ply := "", 0
	if openings := t.Row(g.Start.Game()).Openings; openings != nil {
		for _, pos := range g.Positions(false) {
			name = cmp.Or(openings()[pos.Key()], name)
			if ply++; ply > openingPlies {
				break
			}
		}
	}
	return cmp.Or(name, g.Tags.Known("ECO"), g.Tags.Known("ECCO"))
}
