package games

import (
	"qhsh/engine"
	"qhsh/engine/record"
)

// A Recorder is a Row whose games have their own file formats.
type Recorder interface {
	// Records returns the library that reads and writes them, and the general formats.
	Records() *record.Library
}

// A Varied is a Row of a game whose PGN tells its variants apart.
type Varied interface {
	// Variants are what reads and writes the tag that names them.
	Variants() *record.Variants
}

// An Aliased is a Row whose game other programs name otherwise in their records.
type Aliased interface {
	// Aliases returns the other names.
	Aliases() []string
}

// Records returns what reads and writes records of a game: in its own forms, or those that every
// game has. It knows the names of the other games of the table.
func (t Table) Records(g engine.Game) *record.Library {
	row := t.row(g)
	var others []record.OtherGame
	for _, r := range t.rows {
		if r.Game().Name() != row.Game().Name() {
			others = append(others, otherRecords(r))
		}
	}
	if r, ok := row.(Recorder); ok {
		return r.Records().WithOtherGames(others...)
	}
	var variants *record.Variants
	if v, ok := row.(Varied); ok {
		variants = v.Variants()
	}
	return record.NewLibrary(record.Description{
		Game: g, PGN: pgnStyle(row, g), Variants: variants, Parse: t.ReadMove,
		Format: func(p engine.Position, m engine.Move, notation string) string {
			return t.MoveNames(p, []engine.Move{m}, notation)[0]
		},
	}).WithOtherGames(others...)
}

// otherRecords are the records of a row as a library of another game has to know them.
func otherRecords(r Row) record.OtherGame {
	o := record.OtherGame{Game: r.Game(), Names: []string{r.Game().Name(), pgnStyle(r, r.Game()).Game}}
	if named, ok := r.(Aliased); ok {
		o.Names = append(o.Names, named.Aliases()...)
	}
	if own, ok := r.(Recorder); ok {
		o.Formats = own.Records().Formats()
	}
	return o
}

// PGN returns how the PGN of a game is written: as its records are, or with the game's and the
// sides' names. Of a game with options that is no [Varied] one it is that of the usual ones, which
// need no FEN tag.
func (t Table) PGN(g engine.Game) record.PGNStyle { return pgnStyle(t.row(g), g) }

func pgnStyle(row Row, g engine.Game) record.PGNStyle {
	switch r := row.(type) {
	case Recorder:
		return r.Records().PGN
	case Varied:
		return r.Variants().PGN(g)
	}
	return record.NewPGNStyle(row.Game())
}
