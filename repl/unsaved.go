package repl

import (
	"errors"
	"slices"

	"qhsh/engine/record"
)

// What a person has written in a game is not lost without a warning: a line that would lose it has to be
// repeated at once.

// errUnsaved is the error of such a line.
var errUnsaved = errors.New("what you have written in the game is not saved: .save it, or do this again")

// written records that a game has changed since it was loaded or saved.
func (s *Shell) written(g *record.Game) {
	if !slices.Contains(s.unsaved, g) {
		s.unsaved = append(s.unsaved, g)
	}
}

// saved records that a game has been saved.
func (s *Shell) saved(g *record.Game) {
	s.unsaved = slices.DeleteFunc(s.unsaved, func(other *record.Game) bool { return other == g })
}

// entered records the line that a person has entered, and whether it repeats one that errUnsaved has refused.
func (s *Shell) entered(line string) {
	s.line, s.insists, s.refused = line, line == s.refused, ""
}

// warnUnsaved returns errUnsaved if an unsaved game is on no other boards than those of the given
// engines, which are about to get another game or to end, unless the person insists.
func (s *Shell) warnUnsaved(leaving ...*attached) error {
	if s.insists || !s.host.Interactive || s.script.running {
		return nil
	}
	for _, g := range s.unsaved {
		has := func(e *attached) bool { return s.keptGame(e.session.Position()) == g }
		stays := func(e *attached) bool { return has(e) && !slices.Contains(leaving, e) }
		if slices.ContainsFunc(leaving, has) && !slices.ContainsFunc(s.engines, stays) {
			s.refused = s.line
			return errUnsaved
		}
	}
	return nil
}
