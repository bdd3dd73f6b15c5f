package games

import (
	"qhsh/engine"
	"qhsh/engine/record"
)

// A Recorder is a Row whose game's records are kept in forms of its own.
type Recorder interface {
	// Records reads and writes them, in the general forms, too.
	Records() *record.Library
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
	return record.NewLibrary(record.Description{
		Game: g, PGN: pgnStyle(row), Parse: t.ReadMove,
		Format: func(p engine.Position, m engine.Move, notation string) string {
			return t.MoveNames(p, []engine.Move{m}, notation)[0]
		},
	}).WithOtherGames(others...)
}

// otherRecords returns the records of a row as a library of another game has to know them.
func otherRecords(r Row) record.OtherGame {
	o := record.OtherGame{Game: r.Game(), PGN: pgnStyle(r).Game}
	if own, ok := r.(Recorder); ok {
		o.Formats = own.Records().Formats()
	}
	return o
}

// PGN returns how the PGN of a game is written: as its records are, or with the game's and the
// sides' names. Of a game with options it is that of the usual ones, which need no FEN tag.
func (t Table) PGN(g engine.Game) record.PGNStyle { return pgnStyle(t.row(g)) }

func pgnStyle(row Row) record.PGNStyle {
	if r, ok := row.(Recorder); ok {
		return r.Records().PGN
	}
	return record.NewPGNStyle(row.Game())
}
