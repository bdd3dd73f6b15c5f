package match

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"

	"qhsh/engine"
	"qhsh/pluginclient/filelock"
	"qhsh/pluginclient/task/runlog"
)

// stateKind is the kind of the file of a State.
var stateKind = runlog.Kind{
	Prefix: ManifestPrefix, ErrForeign: configf("it holds something else than a match"), Framing: runlog.Lines,
}

// A State is a match in a file of JSON lines, which is the log of its run (package runlog): the
// terms first, then a Record for each finished game. While the match runs, records are added as
// they come; at its end they are put in the order of the games. It is a Journal.
//
// A match that ends before its first record leaves a file as it was, and none where there was
// none.
type State struct {
	log      *runlog.Log
	manifest []byte
	extended bool          // the file has another configuration
	refs     map[int]int64 // of the records in the log, by game
	order    []int         // games, unchanged in the file
}

// OpenState opens or creates a file. With resume set, a match of these terms that the file holds
// is resumed. Without it, and with other terms, the error wraps ErrTerms, as it does if another
// process has the file open. The number of games and of rounds and the SPRT may be others, if that
// leaves all finished games as they are: the first line has them when the State is closed.
func OpenState(path string, config *Config, resume bool) (*State, error) {
	real, err := filelock.Resolve(path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	path = real
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return nil, configf("%s: it is no ordinary file", path)
	}
	log, err := runlog.Open(path, stateKind)
	if errors.Is(err, filelock.ErrInUse) {
		return nil, configf("%s: another match is using it", path)
	}
	if err != nil {
		return nil, err
	}
	s := &State{log: log, manifest: config.manifest(), refs: map[int]int64{}}
	if err := s.begin(newSchedule(config), resume); err != nil {
		_ = log.Close()
		return nil, configf("%s: %w", path, err)
	}
	return s, nil
}

func (s *State) begin(schedule *schedule, resume bool) error {
	theirs := s.log.Run().Manifest
	if theirs != nil && resume {
		return s.resume(theirs, schedule)
	}
	if n, err := s.log.Count(); err != nil || n > 0 {
		return cmp.Or(err, fmt.Errorf("it holds a match already, with %d of its games finished: -resume resumes it", n))
	}
	s.log.Begin(s.manifest)
	return nil
}

// resume records the games that have been played, if they are those of the schedule.
func (s *State) resume(theirs []byte, schedule *schedule) error {
	extended, err := compareManifests(theirs, s.manifest)
	if err != nil {
		return err
	}
	s.extended = extended != nil
	_, err = s.log.Replay(func(ref int64, line []byte) error { return s.loadRecord(ref, line, schedule) })
	if err != nil && s.extended {
		err = fmt.Errorf("%w: that would change what has been played: %w", errDiffers(extended), err)
	}
	return err
}

// loadRecord records a record that stands in the file.
func (s *State) loadRecord(ref int64, line []byte, schedule *schedule) error {
	var r Record
	if err := json.Unmarshal(line, &r); err != nil {
		return engine.ExplainJSON(err)
	}
	if err := r.check(schedule); err != nil {
		return err
	}
	if s.Has(r.Game) {
		return fmt.Errorf("game %d is there twice", r.Game)
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

// Append adds a finished game. After an error nothing can be added any more.
func (s *State) Append(r Record) error {
	ref, err := s.log.Append(marshalLine(r))
	if err == nil {
		s.note(r.Game, ref)
	}
	return err
}

// Close puts the records in the order of the games and closes the file. Games after the
// last one are dropped; 0 is no such limit.
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
