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

// Records returns the library that reads and writes records of a game, in its own formats or those
// that every game has. It recognizes the other games of the table.
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
	return record.NewLibrary(record.Description{
		Game: g, PGN: pgnStyle(row), Parse: t.ReadMove,
		Format: func(p engine.Position, m engine.Move, notation string) string {
			return t.MoveNames(p, []engine.Move{m}, notation)[0]
		},
	}).WithOtherGames(others...)
}

// otherRecords returns what the library of another game has to know about a row.
func otherRecords(r Row) record.OtherGame {
	o := record.OtherGame{Game: r.Game(), PGN: pgnStyle(r).Game}
	if own, ok := r.(Recorder); ok {
		o.Formats = own.Records().Formats()
	}
	return o
}

// PGN returns the PGN style of a game: that of its records, or one with the game's and the sides'
// names. For a game with options it is that of the default ones, which need no FEN tag.
func (t Table) PGN(g engine.Game) record.PGNStyle { return pgnStyle(t.row(g)) }

func pgnStyle(row Row) record.PGNStyle {
	if r, ok := row.(Recorder); ok {
		return r.Records().PGN
	}
	return record.NewPGNStyle(row.Game())
}
