package records

import (
	"errors"
	"fmt"
	"io"

	"qhsh/engine"
	"qhsh/engine/games"
	"qhsh/engine/record"
	"qhsh/pluginclient/format"
)

// A Style is how games are written.
type Style struct {
	Library  *record.Library // of the games
	Notation string          // of moves, by its name
}

// A Sink writes a game, and where it comes from if the format tells that. The file is empty if there
// is only one.
type Sink func(file string, number int, g *record.Game) error

// A Writer returns a Sink that writes to w.
type Writer = func(w io.Writer, s Style) (Sink, error)

// A Format is a format in which games can be written.
type Format = format.Format[Writer]

// ErrFormat is wrapped by the error of games that cannot be written in a format.
var ErrFormat = errors.New("another format is needed")

// A formatError is an ErrFormat that says which.
type formatError struct{ game, format string }

func (e formatError) Error() string {
	return fmt.Sprintf("games of %s are not written as %s", e.game, e.format)
}
func (formatError) Unwrap() error { return ErrFormat }

// Formats returns the formats of the games of a table; the first is the default.
func Formats(all games.Table) format.Table[Writer] {
	table := format.Table[Writer]{recordFormat(record.PGN)}
	for _, game := range all.Games() {
		for _, f := range all.Records(game).Formats() {
			if _, ok := table.ByName(f.Name); f.CanWrite() && !ok {
				table = append(table, recordFormat(f))
			}
		}
	}
	return table
}

func recordFormat(f *record.Format) Format {
	return Format{Name: f.Name, Extensions: f.Extensions, Write: func(w io.Writer, s Style) (Sink, error) {
		if _, ok := s.Library.FormatByName(f.Name); !ok {
			return nil, formatError{engine.Title(s.Library.Game), f.Name}
		}
		out, err := s.Library.NewWriter(w, f, s.Notation)
		if err != nil {
			return nil, err
		}
		return func(_ string, _ int, g *record.Game) error { return out.Write(g) }, nil
	}}
}
