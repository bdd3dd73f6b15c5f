package repl

import (
	"errors"
	"slices"

	"qhsh/engine/record"
)

// What a person has written in a game is not lost without a warning: a command that would lose it has
// to be repeated.

// errUnsaved is the error of such a command.
var errUnsaved = errors.New("what you have written in the game is not saved: .save it, or do this again")

// written records that a game has changed since it was loaded or saved.
func (s *Shell) written(g *record.Game) {
	if !slices.Contains(s.unsaved, g) {
		s.unsaved = append(s.unsaved, g)
	}
	s.warned = ""
}

// saved records that a game has been saved, or that it may be lost.
func (s *Shell) saved(g *record.Game) {
	s.unsaved = slices.DeleteFunc(s.unsaved, func(other *record.Game) bool { return other == g })
}

// warnUnsaved returns errUnsaved if a line ends the work on unsaved games: on that of the board of e or,
// if e is nil, on those of all boards. When the line is repeated, it returns nil.
func (s *Shell) warnUnsaved(e *attached, line string) error {
	engines := s.engines
	if e != nil {
		engines = []*attached{e}
	}
	var lost []*record.Game
	for _, e := range engines {
		if g := s.keptGame(e.session.Position()); slices.Contains(s.unsaved, g) {
			lost = append(lost, g)
		}
	}
	if len(lost) == 0 || !s.byPerson() || s.script.running {
		return nil
	}
	if s.warned != line {
		s.warned = line
		return errUnsaved
	}
	for _, g := range lost {
		s.saved(g)
	}
	return nil
}
