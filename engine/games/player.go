package games

import (
	"errors"
	"fmt"
	"strconv"

	"qhsh/engine"
)

// A Player is a Row of a game with an embedded engine.
type Player interface {
	// EngineOptions returns the engine's options, in the order of the documentation.
	EngineOptions() []EngineOption
	// Engine reads options of the engine of a game, each of which is one of EngineOptions, and
	// makes nothing yet. The error names the option that is wrong.
	Engine(engine.Game, []Setting) (Engine, error)
}

// An EngineOption is an option of an engine.
type EngineOption struct {
	Name    string   // a name that ends in ".NAME" stands for all with what is before NAME
	Help    string   // one line, lower case
	Repeats bool     // may be given more than once
	Words   []string // the values, if they are words that are known; of a name that ends in ".NAME", the names
	File    bool     // a value that is none of Words is the path of a file
}

// A Setting is an option and its value as the user wrote it.
type Setting struct{ Key, Value string }

// Number returns the value as an integer.
func (s Setting) Number() (int, error) { return s.number(false) }

// Positive returns the value as an integer of at least 1.
func (s Setting) Positive() (int, error) { return s.number(true) }

func (s Setting) number(positive bool) (int, error) {
	n, err := strconv.Atoi(s.Value)
	switch {
	case errors.Is(err, strconv.ErrRange) && n > 0:
		return 0, fmt.Errorf("%s=%s: the number is too large", s.Key, s.Value)
	case positive && n < 1:
		return 0, fmt.Errorf("%s=%s: want a number of at least 1", s.Key, s.Value)
	case err != nil:
		return 0, fmt.Errorf("%s=%s: want a whole number", s.Key, s.Value)
	}
	return n, nil
}

// An Engine describes an engine that can be created.
type Engine struct {
	New       func() (engine.Searcher, error)
	Memory    int      // of its tables, in MiB
	MaxMemory int      // in MiB; New returns an error above
	Threads   int      // of a search; with one the answers are deterministic
	Budget    bool     // an option limits every search
	Text      []string // what a user should know about it

	Evaluation string   // name and checksum of what it evaluates positions with, if it can be chosen
	Files      []string // that its options name
}

// Players returns the games with an embedded engine, in the order of the table.
func (t Table) Players() (all []engine.Game) {
	for _, r := range t.rows {
		if _, ok := r.(Player); ok {
			all = append(all, r.Game())
		}
	}
	return all
}
