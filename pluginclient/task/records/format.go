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

// A Style says how games are written.
type Style struct {
	Library  *record.Library // of the games
	Notation string          // name of the move notation
	Width    int             // of a terminal, at which a list is cut; 0: not cut
	// OnLost is called once for each part of the games that the format cannot hold, such as
	// "comments"; nil: not called.
	OnLost func(part string)
	Filter *Filter     // of training data
	Second bool        // rulings have a second opinion
	Games  games.Table // for the names of openings in a list
}

// A Sink writes games.
type Sink struct {
	// Write writes a game and, if the format has it, its origin. file is empty if there is only one
	// file.
	Write func(file string, number int, g *record.Game) error
	// Close writes what depends on all games; nil: nothing does.
	Close func() error
}

// A Writer returns a Sink that writes to w.
type Writer = func(w io.Writer, s Style) (Sink, error)

// A Format is an output format for games.
type Format = format.Format[Writer]

// ErrFormat is wrapped by the error of a game that a format does not support.
var ErrFormat = errors.New("format not supported")

// A formatError is an ErrFormat with the game and the format.
type formatError struct{ game, format string }

func (e formatError) Error() string {
	return fmt.Sprintf("games of %s cannot be written as %s", e.game, e.format)
}
func (formatError) Unwrap() error { return ErrFormat }

// Formats returns the output formats for the games of a table. The first is the default.
func Formats(all games.Table) format.Table[Writer] {
	table := format.Table[Writer]{recordFormat(record.PGN)}
	for _, game := range all.Games() {
		for _, f := range all.Records(game).Formats() {
			if _, ok := table.ByName(f.Name); f.CanWrite() && !ok {
				table = append(table, recordFormat(f))
			}
		}
	}
	return append(table, trainingFormats(all)...)
}

func recordFormat(f *record.Format) Format {
	return Format{Name: f.Name, Extensions: f.Extensions, Write: func(w io.Writer, s Style) (Sink, error) {
		if _, ok := s.Library.FormatByName(f.Name); !ok {
			return Sink{}, formatError{engine.Title(s.Library.Game), f.Name}
		}
		out, err := s.Library.NewWriter(w, f, s.Notation)
		if err != nil {
			return Sink{}, err
		}
		told := 0
		write := func(_ string, _ int, g *record.Game) error {
			if err := out.Write(g); err != nil || s.OnLost == nil {
				return err
			}
			lost := out.Lost()
			for _, part := range lost[told:] {
				s.OnLost(part)
			}
			told = len(lost)
			return nil
		}
		return Sink{write, out.Close}, nil
	}}
}
