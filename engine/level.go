package engine

import (
	"context"
	"fmt"
	"iter"
	"math"
	"slices"
)

// A Level is a playing strength that a user can choose.
type Level struct {
	ID     int    // any number; engines choose their own
	Text   string // for a person
	Limits Limits // what the level allows; its Level field is not set
	Elo    int    // measured in games between the levels; 0: unknown
}

// A Leveler is a Searcher with levels of its own, strongest last. It obeys
// Limits.Level.
type Leveler interface{ Levels() []Level }

// DefaultLevel is the ID of the level that is used unless another is asked for.
const DefaultLevel = 5

// NodeLevels returns ten levels: level n is a budget of 100 x 4^(n-1) nodes, so that level 1 is 100
// nodes, 5 is 25,600 and 10 is 26 million.
func NodeLevels() []Level {
	levels := make([]Level, 10)
	nodes := int64(100)
	for i := range levels {
		levels[i] = Level{ID: i + 1, Text: fmt.Sprintf("%d nodes a move", nodes), Limits: Limits{Nodes: nodes}}
		nodes *= 4
	}
	return levels
}

// AtLevel returns l combined with the limits of its level, with Level cleared. It is an error if
// the level is not among levels.
func (l Limits) AtLevel(levels []Level) (Limits, error) {
	if l.Level == 0 {
		return l, nil
	}
	for _, level := range levels {
		if level.ID == l.Level {
			l.Level = 0
			return l.Within(level.Limits), nil
		}
	}
	return l, CheckLevel(levels, l.Level)
}

// EloRange returns the lowest and the highest Elo of levels; 0 if they have none.
func EloRange(levels []Level) (lowest, highest int) {
	for _, l := range levels {
		if l.Elo > 0 && (lowest == 0 || l.Elo < lowest) {
			lowest = l.Elo
		}
		highest = max(highest, l.Elo)
	}
	return lowest, highest
}

// AtElo returns l combined with the nodes that play at an Elo: those of the levels around it, in proportion
// to the logarithm.
func (l Limits) AtElo(levels []Level, elo int) Limits {
	var below, above *Level
	for i := range levels {
		switch at := &levels[i]; {
		case at.Elo == 0:
		case at.Elo <= elo && (below == nil || at.Elo > below.Elo):
			below = at
		case at.Elo > elo && (above == nil || at.Elo < above.Elo):
			above = at
		}
	}
	switch {
	case below == nil && above == nil:
		return l
	case below == nil:
		return l.Within(above.Limits)
	case above == nil:
		return l.Within(below.Limits)
	}
	part := float64(elo-below.Elo) / float64(above.Elo-below.Elo)
	few, many := float64(below.Limits.Nodes), float64(above.Limits.Nodes)
	return l.Within(Limits{Nodes: int64(math.Round(few * math.Pow(many/few, part)))})
}

// CheckLevel returns an error if id is not the ID of one of levels.
func CheckLevel(levels []Level, id int) error {
	switch {
	case slices.ContainsFunc(levels, func(l Level) bool { return l.ID == id }):
		return nil
	case len(levels) == 0:
		return fmt.Errorf("no level %d: there are no levels", id)
	}
	return fmt.Errorf("no level %d: levels go from %d to %d", id, levels[0].ID, levels[len(levels)-1].ID)
}

// StartLevel returns the level that an engine has before one is set: want, or else [DefaultLevel], or else its
// first one; 0 if it has none.
func StartLevel(levels []Level, want int) int {
	switch {
	case len(levels) == 0:
		return 0
	case CheckLevel(levels, want) == nil:
		return want
	case CheckLevel(levels, DefaultLevel) == nil:
		return DefaultLevel
	}
	return levels[0].ID
}

// WithLevels returns s if it has levels, and else s with NodeLevels.
func WithLevels(s Searcher) interface {
	Searcher
	Leveler
} {
	if own, ok := s.(interface {
		Searcher
		Leveler
	}); ok {
		return own
	}
	return leveled{s}
}

type leveled struct{ Searcher }

func (leveled) Levels() []Level { return NodeLevels() }

func (s leveled) Search(ctx context.Context, pos Position, lim Limits) iter.Seq2[[]Line, error] {
	lim, err := lim.AtLevel(NodeLevels())
	if err != nil {
		return func(yield func([]Line, error) bool) { yield(nil, err) }
	}
	return s.Searcher.Search(ctx, pos, lim)
}

func (s leveled) Unwrap() Searcher { return s.Searcher }
