package uci

import (
	"context"
	"fmt"
	"slices"
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
}

// StartSearch starts a search by the Searcher.
func (s ServerConfig) StartSearch(ctx context.Context, q serving.Request) *serving.Search {
	q.Searcher = s.Searcher
	if _, foreign := engine.As[serving.Foreign](s.Searcher); foreign {
		q.Limits.Play = false // it may have no scores for moves
	}
	if s.LevelsOnly {
		q.Limits.Nodes, q.Limits.Depth = 0, 0
	}
	return serving.StartSearch(ctx, q)
}

// WithDetails returns lines with what the Searcher tells of the running search.
func (s ServerConfig) WithDetails(lines []engine.Line) []engine.Line {
	lines = slices.Clone(lines)
	if teller, ok := engine.As[engine.Detailer](s.Searcher); ok {
		for i := range lines {
			lines[i].Details = teller.Details()
		}
	}
	return lines
}

// ApplyOptions applies all options set so far.
func (s ServerConfig) ApplyOptions() {
	if s.Ready != nil {
		s.Ready()
	}
}

func (s ServerConfig) levels() []engine.Level {
	leveler, ok := engine.As[engine.Leveler](s.Searcher)
	if !ok {
		return nil
	}
	return leveler.Levels()
}

// LevelSetter returns the Level option, where 0 means no level. It returns none if the Searcher has
// no levels.
func (s ServerConfig) LevelSetter(chosen func(id int)) []Setter {
	levels := s.levels()
	if levels == nil {
		return nil
	}
	most := 0
	for _, level := range levels {
		most = max(most, level.ID)
	}
	option := Option{Name: "Level", Kind: Spin, Default: "0", Max: int64(most)}
	return []Setter{{option, func(value string) error {
		id, _ := strconv.Atoi(value)
		if _, err := (engine.Limits{Level: id}).AtLevel(levels); err != nil {
			return err
		}
		chosen(id)
		return nil
	}}}
}

// eloSetters returns the options that limit the strength, if the Searcher has levels of known Elo.
func (c *serverConn) eloSetters() []Setter {
	lowest, highest := engine.EloRange(c.config.levels())
	if lowest == 0 {
		return nil
	}
	c.elo = lowest
	return []Setter{
		CheckSetter("UCI_LimitStrength", false, &c.limited),
		NumberSetter("UCI_Elo", lowest, highest, &c.elo),
	}
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
	i := slices.IndexFunc(options, func(o Setter) bool { return fold(o.Name) == fold(name) })
	if i < 0 {
		return false, nil
	}
	text, err := options[i].Value(value)
	if err == nil && options[i].Set != nil {
		err = options[i].Set(text)
	}
	if err == nil {
		return true, nil
	}
	if value != "" {
		value = "=" + pluginclient.Excerpt(value)
	}
	return true, fmt.Errorf("option %s%s: %w", options[i].Name, value, err)
}

// MultiPVSetter returns the option for the number of lines, which it sets.
func MultiPVSetter(name string, lines *int) Setter {
	*lines = 1
	return NumberSetter(name, 1, xiangqi.MaxMoves, lines)
}

// NumberSetter returns an option that is the number n.
func NumberSetter(name string, least, most int, n *int) Setter {
	option := Option{Name: name, Kind: Spin, Default: strconv.Itoa(*n), Min: int64(least), Max: int64(most)}
	return Setter{option, func(value string) (err error) {
		*n, err = strconv.Atoi(value)
		return err
	}}
}

// CheckSetter returns an option that is on, or if negated off, where the field is set.
func CheckSetter(name string, negated bool, field *bool) Setter {
	return Setter{Option{Name: name, Kind: Check, Default: strconv.FormatBool(*field != negated)}, func(value string) error {
		*field = (value == "true") != negated
		return nil
	}}
}
