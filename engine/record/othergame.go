package record

import (
	"errors"
	"fmt"
	"strings"

	"qhsh/engine"
)

// An OtherGameError is the error of a record of another game than that of its reader.
type OtherGameError struct {
	Game string // its name in the table of games; empty: it is none of them
	text string
}

func (e *OtherGameError) Error() string { return e.text }

// isOtherGame reports whether an error is an OtherGameError.
func isOtherGame(err error) bool {
	var other *OtherGameError
	return errors.As(err, &other)
}

// An OtherGame is another game, whose records are not to be taken for those of the library's.
type OtherGame struct {
	Game engine.Game
	PGN  string // what PGN calls it
	// Formats are those of its library.
	Formats []*Format
}

// is reports whether a name, in any case, is the game's.
func (o OtherGame) is(name string) bool { return contains([]string{o.Game.Name(), o.PGN}, name) }

// unknownForm returns the error of a file of none of the library's forms: that of another game, where
// it has one of its.
func (l *Library) unknownForm(head []byte) error {
	for _, o := range l.others {
		for _, f := range o.Formats {
			if f != Moves && f.Detect(head) {
				return l.otherGame(fmt.Sprintf("%s is a form for games of %s: only those", f.Name, engine.Title(o.Game)), o.Game.Name())
			}
		}
	}
	return errUnknown
}

// otherGame returns the error of a record of a game by its name in any case; what is how it begins,
// such as "a game of Chess: only those".
func (l *Library) otherGame(what, name string) error {
	e := &OtherGameError{text: fmt.Sprintf("%s of %s can be read", what, engine.Title(l.Game))}
	for _, o := range l.others {
		if o.is(strings.TrimSpace(name)) {
			e.Game = o.Game.Name()
		}
	}
	return e
}
