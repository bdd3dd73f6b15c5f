package games

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"qhsh/engine"
)

// Configurable is a Row of a game with options.
type Configurable interface {
	// Options returns the options.
	Options() []Option
	// New is the game with options, whose values have been checked by [Option.Check]; those that
	// are absent are as usual. The error names the option that is wrong.
	New(Values) (engine.Game, error)
	// Describe returns the name of a game with its options, such as "NAME of size 9".
	Describe(engine.Game) string
}

// An Option is something about a game that can be chosen: a whole number, or one of some words.
type Option struct {
	Name  string
	Help  string   // what the value is, such as "play on a board of `N` cells a side"
	Words []string // the values; nil: whole numbers
}

// Check is the error of a value that the option cannot have.
func (o Option) Check(value string) error {
	if o.Words != nil {
		if !slices.Contains(o.Words, value) {
			return fmt.Errorf("want %s", OneOf(o.Words))
		}
		return nil
	}
	if _, err := strconv.Atoi(value); err != nil {
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

func (v Values) keys() []string { return slices.Sorted(maps.Keys(v)) }

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
		if c, ok := r.(Configurable); ok {
			for _, o := range c.Options() {
				all = append(all, GameOption{o, r.Game()})
			}
		}
	}
	return all
}

// Describe returns a game's name, with its options if it has any.
func (t Table) Describe(g engine.Game) string {
	if c, ok := t.row(g).(Configurable); ok {
		return c.Describe(g)
	}
	return g.Name()
}

// A PositionDescriber is a Row that describes the text form of its positions.
type PositionDescriber interface {
	// PositionText describes the text form with an example; it follows the words "a position is".
	PositionText() string
}

// A Documented is a Row of a game that is a topic of the help.
type Documented interface {
	// Section returns the heading of the game's section of engine.Guide, and a line about it.
	Section() (heading, summary string)
}

// Table returns the games as a Markdown table: names, text forms of positions, options.
func (t Table) Table() string {
	var b strings.Builder
	b.WriteString("| game | |\n|---|---|\n")
	for _, r := range t.rows {
		name := r.Game().Name()
		text := fmt.Sprintf("a position is as %s writes it, such as %s", engine.Title(r.Game()), r.Game().Start())
		if g, ok := r.(PositionDescriber); ok {
			text = "a position is " + strings.Join(strings.Fields(g.PositionText()), " ")
		}
		fmt.Fprintf(&b, "| `%s` | %s |\n", name, text)
		if c, ok := r.(Configurable); ok {
			for _, o := range c.Options() {
				fmt.Fprintf(&b, "| `%s,%s=%s` | %s |\n", name, o.Name, o.Value(), strings.ReplaceAll(o.Help, "`", ""))
			}
		}
	}
	return b.String()
}

// A Divider is a Row with its own perft.
type Divider interface {
	// Divide is [Table.Divide] for the game's own positions and a depth of at least 1.
	Divide(ctx context.Context, p engine.Position, depth, jobs int) ([]Branch, error)
}

// A Branch is a root move, in the notation of perft output, and the number of leaf nodes below it.
type Branch struct {
	Move  string
	Nodes int64
}

// Divide returns for each legal move, in order, the number of leaf nodes at the depth below it. It
// uses up to jobs goroutines if the game supports that. The error is that of a depth below 1, or
// wraps the context's cause.
func (t Table) Divide(ctx context.Context, p engine.Position, depth, jobs int) (branches []Branch, err error) {
	if depth < 1 {
		return nil, fmt.Errorf("perft depth %d: want 1 or more", depth)
	}
	if d, ok := t.row(p.Game()).(Divider); ok {
		return d.Divide(ctx, p, depth, jobs)
	}
	for _, m := range p.Moves() {
		next, err := p.Play(m)
		if err != nil {
			return nil, err
		}
		nodes, err := t.Perft(ctx, next, depth-1)
		if err != nil {
			return nil, err
		}
		branches = append(branches, Branch{p.Format(m), nodes})
	}
	return branches, nil
}

// Perft returns the number of leaf nodes at the depth; 1 for depth 0.
func (t Table) Perft(ctx context.Context, p engine.Position, depth int) (nodes int64, err error) {
	if depth == 0 {
		return 1, nil
	}
	if ctx.Err() != nil {
		return 0, fmt.Errorf("perft: %w", context.Cause(ctx))
	}
	branches, err := t.Divide(ctx, p, depth, 1)
	for _, b := range branches {
		nodes += b.Nodes
	}
	return nodes, err
}

// A Sampler is a Row with positions for benchmarks.
type Sampler interface {
	// Samples returns positions of a game that never change, the start first.
	Samples(engine.Game) []engine.Position
}

// Samples returns positions of a game for benchmarks, at least its start.
func (t Table) Samples(g engine.Game) []engine.Position {
	if s, ok := t.row(g).(Sampler); ok {
		return s.Samples(g)
	}
	return []engine.Position{g.Start()}
}
