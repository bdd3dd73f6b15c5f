package games

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"qhsh/engine"
	"qhsh/engine/alphabeta"
	"qhsh/engine/printable"
)

// An Option is something about a game, or about an engine, that can be chosen.
type Option struct {
	Name    string   // of an engine's, one that ends in ".NAME" stands for all with what is before NAME
	Help    string   // of a game's what the value is, such as "play on a board of `N` cells a side"; of an engine's one line, lower case
	Words   []string // the values, if they are words that are known; of a name that ends in ".NAME", the names
	Repeats bool     // may be given more than once
	File    bool     // a value that is none of Words is the path of a file
	Text    bool     // the value is a line of text; if neither, a whole number
	Min     int      // of a number; both 0: not known
	Max     int
	Default string // empty: none, or not known
	Inner   bool   // of an engine's, for those who work on the engine itself
}

// Check is the error of a value that the option cannot have: one of Words, or a whole number. A text must not be a path.
func (o Option) Check(value string) error {
	n, err := strconv.Atoi(value)
	switch bounded := o.Min != 0 || o.Max != 0; {
	case o.Words != nil:
		if !slices.Contains(o.Words, value) {
			return fmt.Errorf("want %s", printable.OneOf(o.Words))
		}
	case o.Text:
		if strings.ContainsAny(value, "/\\\r\n") {
			return errors.New("want a line of text that is no path")
		}
	case bounded && (err != nil || n < o.Min || n > o.Max):
		return fmt.Errorf("want a number from %d to %d", o.Min, o.Max)
	case err != nil:
		return errors.New("want a number")
	}
	return nil
}

// Value is what stands for the option's values in a help text.
func (o Option) Value() string {
	if o.Words != nil {
		return "NAME"
	}
	return "N"
}

// Values are options by their names, as a user has written them.
type Values map[string]string

// number is the value of an option that is a number, or what is usual where it is absent.
func (v Values) number(name string, usual int) int {
	if n, err := strconv.Atoi(v[name]); err == nil {
		return n
	}
	return usual
}

// ParseValues reads one option or more as "KEY=VALUE,KEY=VALUE".
func ParseValues(text string) (Values, error) {
	v := Values{}
	for field := range strings.SplitSeq(text, ",") {
		key, value, ok := strings.Cut(field, "=")
		if !ok {
			return nil, fmt.Errorf("%q is not KEY=VALUE", field)
		}
		if err := v.Add(key, value); err != nil {
			return nil, err
		}
	}
	return v, nil
}

// Add sets an option that must not be set yet.
func (v Values) Add(key, value string) error {
	if _, ok := v[key]; ok {
		return fmt.Errorf("%s is given twice: remove one", key)
	}
	v[key] = value
	return nil
}

// A GameOption is an option and its game.
type GameOption struct {
	Option
	Game engine.Game
}

// GameOptions returns the options of all games.
func (t Table) GameOptions() (all []GameOption) {
	for _, r := range t.rows {
		for _, o := range r.Options {
			all = append(all, GameOption{o, r.Game})
		}
	}
	return all
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

// tableOptions are the options of an engine whose table can be chosen, and nothing else.
func tableOptions() []Option {
	return []Option{{Name: "hash", Help: "MiB of memory for the table", Min: 1, Max: alphabeta.MaxHash, Default: strconv.Itoa(alphabeta.DefaultHash)}}
}

// tableEngine reads tableOptions.
func tableEngine(settings []Setting, open func(hash int) (engine.Searcher, error)) (Engine, error) {
	hash := 0
	for _, s := range settings {
		var err error
		if hash, err = s.Number(); err != nil {
			return Engine{}, err
		}
	}
	return Engine{
		New:    func() (engine.Searcher, error) { return open(hash) },
		Memory: cmp.Or(hash, alphabeta.DefaultHash), MaxMemory: alphabeta.MaxHash, Threads: 1,
	}, nil
}
