package match

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"

	"qhsh/engine/filelock"
	"qhsh/engine/printable"
	"qhsh/pluginclient/task/runlog"
)

// stateKind describes the file of a State.
var stateKind = runlog.Kind{
	Prefix: ManifestPrefix, ErrForeign: configf("not a match file"), Framing: runlog.Lines,
	Run: "match", Records: "finished games", Repair: "remove the line: its game is then played again",
	// All finished games must keep their place in the schedule all the same.
	Extendable: []string{"games", "rounds", "sprt"},
}

// A State is a match in a file of JSON lines, the log of its run (package runlog): first the
// configuration, then a Record for each finished game. Records are appended as games finish, and
// sorted by game on Close. It is a Journal.
//
// A match that ends before its first record leaves an existing file unchanged and creates none.
type State struct {
	log      *runlog.Log
	manifest []byte
	extended bool          // the file has another configuration
	refs     map[int]int64 // position in the log, by game
	order    []int         // games in the order of the file
}

// OpenState opens or creates a file. With resume set it resumes the match of this configuration in
// the file. Without it, or if the configuration differs, the error wraps ErrConfig, as it does if
// another process has the file open. Games, Rounds and SPRT may differ as long as all finished
// games keep their place in the schedule: Close then writes the new configuration.
func OpenState(path string, config *Config, resume bool) (*State, error) {
	real, err := filelock.Resolve(path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	path = real
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return nil, configf("%s: not a regular file", path)
	}
	log, err := runlog.Open(path, stateKind)
	if errors.Is(err, filelock.ErrInUse) {
		return nil, configf("%s: in use by another match", path)
	}
	if err != nil {
		return nil, err
	}
	s := &State{log: log, manifest: config.Manifest(), refs: map[int]int64{}}
	schedule := newSchedule(config)
	s.extended, err = log.Start(s.manifest, resume, func(ref int64, line []byte) error { return s.loadRecord(ref, line, schedule) })
	if err != nil {
		_ = log.Close()
		return nil, configf("%s: %w", path, err)
	}
	return s, nil
}

// loadRecord checks and indexes a record of the file.
func (s *State) loadRecord(ref int64, line []byte, schedule *schedule) error {
	var r Record
	if err := json.Unmarshal(line, &r); err != nil {
		return printable.JSONError(err)
	}
	if err := r.check(schedule); err != nil {
		return err
	}
	if s.Has(r.Game) {
		return fmt.Errorf("duplicate game %d", r.Game)
	}
	s.note(r.Game, ref)
	return nil
}

func (s *State) note(game int, ref int64) {
	s.refs[game] = ref
	s.order = append(s.order, game)
}

// Len returns the number of finished games.
func (s *State) Len() int { return len(s.order) }

// Has reports whether a game is finished.
func (s *State) Has(game int) bool {
	_, ok := s.refs[game]
	return ok
}

// Read returns the record of a finished game.
func (s *State) Read(game int) (r Record, err error) {
	line, err := s.log.At(s.refs[game])
	if err == nil {
		err = json.Unmarshal(line, &r)
	}
	return r, err
}

// Append adds a finished game. No call may follow an error.
func (s *State) Append(r Record) error {
	ref, err := s.log.Append(marshalLine(r))
	if err == nil {
		s.note(r.Game, ref)
	}
	return err
}

// Close sorts the records by game and closes the file. It drops games after last, unless last is 0.
func (s *State) Close(last int) error {
	games := slices.Sorted(slices.Values(s.order))
	if last > 0 {
		games = slices.DeleteFunc(games, func(game int) bool { return game > last })
	}
	if !s.extended && slices.Equal(games, s.order) {
		return s.log.Close()
	}
	var refs []int64
	for _, game := range games {
		refs = append(refs, s.refs[game])
	}
	return s.log.Rewrite(s.manifest, refs)
}
