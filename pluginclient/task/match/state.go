package match

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"

	"qhsh/engine/filelock"
	"qhsh/engine/printable"
	"qhsh/engine/record"
	"qhsh/pluginclient/task/runlog"
)

var stateKind = runlog.Kind{
	Prefix: ManifestPrefix, ErrForeign: configf("not a match file"), Framing: runlog.Lines,
	Run: "match", Records: "finished games", Repair: "remove the line, and -resume plays its game again",
	// All finished games must keep their place in the schedule all the same.
	Extendable: []string{"games", "rounds", "sprt"},
}

// A State is a match in a file of JSON lines, the log of its run (package runlog): first the
// configuration, then a Record for each finished game. Records are appended as games finish, and
// sorted by game on Close. One goroutine uses it.
//
// A match that ends before its first record leaves an existing file unchanged and creates none.
type State struct {
	log      *runlog.Log
	manifest []byte
	extended bool          // the file has another configuration
	refs     map[int]int64 // position in the log, by game
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
	s.extended, err = log.Start(s.manifest, resume, func(ref int64, line []byte) error {
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
		s.refs[r.Game] = ref
		return nil
	})
	if err != nil {
		_ = log.Close()
		return nil, configf("%s: %w", path, err)
	}
	return s, nil
}

// Len returns the number of finished games.
func (s *State) Len() int { return len(s.refs) }

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
	ref, err := s.log.Append(runlog.MarshalLine(r))
	if err == nil {
		s.refs[r.Game] = ref
	}
	return err
}

// Close sorts the records by game and closes the file. It drops games after last, unless last is 0.
func (s *State) Close(last int) error {
	var refs []int64
	for _, game := range slices.Sorted(maps.Keys(s.refs)) {
		if last == 0 || game <= last {
			refs = append(refs, s.refs[game])
		}
	}
	if !s.extended && len(refs) == len(s.refs) && slices.IsSorted(refs) {
		return s.log.Close()
	}
	return s.log.Rewrite(s.manifest, refs)
}

// manifestVersion is incremented when the same configuration comes to mean a different match, or more
// of it is noted.
const manifestVersion = 2

// A manifest is the first line of a State: the configuration, checked when the match is resumed.
type manifest struct {
	Match      int              `json:"match"` // the version
	Game       string           `json:"game"`
	Tags       record.Tags      `json:"tags,omitempty"`
	Players    []manifestPlayer `json:"players"`
	Tournament Tournament       `json:"tournament"`
	Games      int              `json:"games"`
	Rounds     int              `json:"rounds"`
	Repeat     bool             `json:"repeat"`
	Openings   int              `json:"openings"`
	Hash       string           `json:"openings_hash,omitempty"`
	Order      Order            `json:"order"`
	Start      int              `json:"start"`
	Plies      int              `json:"plies"`
	Seed       uint64           `json:"srand"`
	Margin     string           `json:"timemargin"`
	Rules      string           `json:"rules,omitempty"`
	Draw       DrawRule         `json:"draw"`
	Resign     ResignRule       `json:"resign"`
	MaxMoves   int              `json:"maxmoves"`
	Endings    string           `json:"endings,omitempty"`
	SPRT       string           `json:"sprt,omitempty"`
}

type manifestPlayer struct {
	Name       string   `json:"name"`
	Spec       string   `json:"spec"`
	Evaluation string   `json:"evaluation,omitempty"`
	Book       string   `json:"book,omitempty"`
	Files      []string `json:"engine_files,omitempty"`
	Level      *int     `json:"level,omitempty"`
	Nodes      int64    `json:"nodes,omitempty"`
	Depth      int      `json:"depth,omitempty"`
	Time       string   `json:"st,omitempty"`
	Clock      string   `json:"tc,omitempty"`
	Ban        bool     `json:"ban"`
	Ask        string   `json:"ask,omitempty"` // askMove; absent: hints
	Ponder     bool     `json:"ponder,omitempty"`
}

// askMove is what a manifest has of a player that is asked for moves.
const askMove = "move"

// ManifestPrefix is the start of a State's file.
const ManifestPrefix = `{"match":`

// Manifest returns the configuration as a line of JSON, with its line feed.
func (t *Config) Manifest() []byte {
	hash := ""
	if len(t.Openings) > 0 {
		h := sha256.New()
		for _, pos := range t.Openings {
			start, moves := pos.History()
			fmt.Fprintln(h, start.String(), moves)
		}
		hash = fmt.Sprintf("%x", h.Sum(nil)[:8])
	}
	m := manifest{
		Match: manifestVersion, Game: t.Game.Name(), Tags: t.Tags, Tournament: t.Tournament,
		Games: t.Games, Rounds: t.Rounds, Repeat: t.Repeat,
		Openings: len(t.Openings), Hash: hash, Order: t.Order, Start: t.Start, Plies: t.Plies,
		Seed: t.Seed, Margin: t.Margin.String(), Rules: t.Rules, Draw: t.Draw, Resign: t.Resign, MaxMoves: t.MaxMoves, Endings: t.Endings,
	}
	if t.SPRT != nil {
		m.SPRT = t.SPRT.String()
	}
	for _, p := range t.Players {
		mp := manifestPlayer{Name: p.Name, Spec: p.Spec, Evaluation: p.Evaluation, Book: p.Book, Files: p.Files, Level: p.Level, Nodes: p.Nodes, Depth: p.Depth, Clock: p.Clock.String(), Ban: p.Ban, Ponder: p.Ponder}
		if !p.Hints {
			mp.Ask = askMove
		}
		if p.Time > 0 {
			mp.Time = seconds(p.Time)
		}
		m.Players = append(m.Players, mp)
	}
	return runlog.MarshalLine(m)
}
