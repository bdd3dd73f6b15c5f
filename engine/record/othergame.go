package record

import (
	"errors"
	"fmt"

	"qhsh/engine"
)

// An OtherGameError is the error of a record of another game.
type OtherGameError struct {
	Game string // its name; "" if it is not one of the library's other games
	text string
}

func (e *OtherGameError) Error() string { return e.text }

// otherGameErrors yields the games of a file, but each error of games of another game once, with their
// number, when another follows or the file ends.
type otherGameErrors struct {
	yield func(*Game, error) bool
	first error
	kind  string // the file of first, and its text
	more  int
}

// add yields a game or an error; it returns false if no more are wanted.
func (o *otherGameErrors) add(g *Game, err error) bool {
	other, ok := errors.AsType[*OtherGameError](err)
	if g != nil || !ok {
		return o.yield(g, err)
	}
	kind := other.text
	if place, ok := errors.AsType[*Error](err); ok { // in an archive, of one of its files
		kind += "\n" + place.File
	}
	if o.first != nil && o.kind == kind {
		o.more++
		return true
	}
	ok = o.flush()
	o.first, o.kind, o.more = err, kind, 0
	return ok
}

// flush yields the error that has been kept; it returns false if no more are wanted.
func (o *otherGameErrors) flush() bool {
	err := o.first
	o.first = nil
	switch {
	case err == nil:
		return true
	case o.more > 0:
		err = fmt.Errorf("%w (and %d more of the file)", err, o.more)
	}
	return o.yield(nil, err)
}

// An OtherGame is another game whose records are recognized, for a better error.
type OtherGame struct {
	Game    engine.Game
	Names   []string  // in records, in any case
	Formats []*Format // of its library
}

// unknownFormat returns the error of a file in an unknown format, or in a format of another game.
func (l *Library) unknownFormat(head []byte) error {
	for _, o := range l.otherGames {
		for _, f := range o.Formats {
			if f != Moves && f.Detect(head) {
				return l.otherGame(fmt.Sprintf("%s is a format of %s", f.Name, engine.Title(o.Game)), o.Game.Name())
			}
		}
	}
	return errUnknownFormat
}

// otherGame returns the error of a record of another game. name is the game's name, in any case.
func (l *Library) otherGame(what, name string) error {
	e := &OtherGameError{text: fmt.Sprintf("%s, not %s", what, engine.Title(l.Game))}
	for _, o := range l.otherGames {
		if contains(o.Names, name) {
			e.Game = o.Game.Name()
		}
	}
	return e
}
