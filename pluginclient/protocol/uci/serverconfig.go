package uci

import (
	"context"
	"fmt"
	"strconv"

	"qhsh/engine"
	"qhsh/engine/xiangqi"
	"qhsh/pluginclient"
	"qhsh/pluginclient/serving"
)

// ServerConfig configures a server.
type ServerConfig struct {
	Searcher engine.Searcher
	Name     string              // the engine's name
	Author   string              // may be empty
	Options  []Setter            // beyond those of the protocol
	Trace    *pluginclient.Trace // if not nil, gets every line
	Ready    func()              // if not nil, called when all options must take effect
	// LevelsOnly is set if the Searcher rejects limits on nodes and depth. The server then ignores
	// such limits and uses the level.
	LevelsOnly bool
	// HasBook is set if the Searcher plays moves from a book where a move is to be played. Without it
	// every search is one for lines: a Searcher may have no scores for moves.
	HasBook bool
}

// StartSearch starts a search by the Searcher.
func (s ServerConfig) StartSearch(ctx context.Context, q serving.Request) *serving.Search {
	q.Searcher = s.Searcher
	q.Limits.Play = q.Limits.Play && s.HasBook
	if s.LevelsOnly {
		q.Limits.Nodes, q.Limits.Depth = 0, 0
	}
	return serving.StartSearch(ctx, q)
}

// ApplyOptions applies all options set so far.
func (s ServerConfig) ApplyOptions() {
	if s.Ready != nil {
		s.Ready()
	}
}

// LevelSetter returns the Level option, where 0 means no level. It returns none if the Searcher has
// no levels.
func (s ServerConfig) LevelSetter(chosen func(id int)) []Setter {
	leveler, ok := engine.As[engine.Leveler](s.Searcher)
	if !ok {
		return nil
	}
	most := 0
	for _, level := range leveler.Levels() {
		most = max(most, level.ID)
	}
	option := Option{Name: "Level", Kind: Spin, Default: "0", Max: int64(most)}
	return []Setter{{option, func(value string) error {
		id, _ := strconv.Atoi(value)
		if _, err := (engine.Limits{Level: id}).AtLevel(leveler.Levels()); err != nil {
			return err
		}
		chosen(id)
		return nil
	}}}
}

// A Setter is an option with a function that sets it. Set is called with a valid value (see
// Option.Value), never during a search. It may be nil.
type Setter struct {
	Option
	Set func(value string) error
}

// SetOption sets the option with the given name, ignoring case and spaces. The value is converted by
// Option.Value. SetOption reports whether there is such an option.
func SetOption(options []Setter, name, value string) (known bool, err error) {
	for _, o := range options {
		if fold(o.Name) != fold(name) {
			continue
		}
		value, err := o.Value(value)
		if err == nil && o.Set != nil {
			err = o.Set(value)
		}
		if err != nil {
			return true, fmt.Errorf("option %s: %w", o.Name, err)
		}
		return true, nil
	}
	return false, nil
}

// MultiPVSetter returns the option for the number of lines.
func MultiPVSetter(name string, chosen func(lines int)) Setter {
	option := Option{Name: name, Kind: Spin, Default: "1", Min: 1, Max: xiangqi.MaxMoves}
	return Setter{option, func(value string) error {
		n, err := strconv.Atoi(value)
		chosen(n)
		return err
	}}
}
