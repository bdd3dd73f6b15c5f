package games

import (
	"errors"
	"fmt"
	"strconv"

	"qhsh/engine"
)

// A Player is a Row of a game that an engine of this program plays.
type Player interface {
	// EngineOptions returns those of the engine, in the order in which people are told of them.
	EngineOptions() []EngineOption
	// Engine reads options, each of which is one of EngineOptions, and makes nothing yet. The
	// error names the option that is wrong.
	Engine([]Setting) (Engine, error)
}

// An EngineOption is something about an engine that can be chosen.
type EngineOption struct {
	Name    string
	Help    string // one line, lower case
	Repeats bool   // it may be given more than once
}

// A Setting is an option with its value, as a user has written it.
type Setting struct{ Key, Value string }

// Number returns the value as a whole number.
func (s Setting) Number() (int, error) { return s.number(false) }

// Positive returns the value as a whole number of at least 1.
func (s Setting) Positive() (int, error) { return s.number(true) }

func (s Setting) number(positive bool) (int, error) {
	n, err := strconv.Atoi(s.Value)
	switch {
	case errors.Is(err, strconv.ErrRange) && n > 0:
		return 0, fmt.Errorf("%s=%s: the number is too large", s.Key, s.Value)
	case positive && n < 1:
		return 0, fmt.Errorf("%s=%s: want a number of at least 1", s.Key, s.Value)
	case err != nil:
		return 0, fmt.Errorf("%s=%s: want a number", s.Key, s.Value)
	}
	return n, nil
}

// An Engine is an engine that can be made.
type Engine struct {
	New       func() (engine.Searcher, error)
	Memory    int      // that its tables take, in MiB
	MaxMemory int      // in MiB; New refuses more
	Threads   int      // of a search; with one its answers are repeatable
	Budget    bool     // an option bounds every search
	Text      []string // what a person should know of it
}

// Players returns the games that an engine of this program plays, in the order of the table.
func (t Table) Players() (all []engine.Game) {
	for _, r := range t.rows {
		if _, ok := r.(Player); ok {
			all = append(all, r.Game())
		}
	}
	return all
}
