package records

import (
	"flag"
	"fmt"
	"strings"

	"qhsh/engine"
	"qhsh/engine/games"
)

// Conditions are flags that select games by what their records say. Names and texts match if they
// are contained, as ContainsFold says.
type Conditions struct {
	Player, Event string
	Result        ResultValue
	sides         map[string]*string // players' names by the tags that they stand in
}

// Define defines the flags for the games of a table.
func (c *Conditions) Define(fs *flag.FlagSet, all games.Table) {
	fs.StringVar(&c.Player, "player", "", "only games of `NAME`, on either side")
	c.sides = map[string]*string{}
	for _, game := range all.Games() {
		for _, tag := range all.PGN(game).Players() {
			if c.sides[tag] == nil {
				c.sides[tag] = fs.String(strings.ToLower(tag), "", "only games in which `NAME` is "+tag)
			}
		}
	}
	fs.StringVar(&c.Event, "event", "", "only games of an event whose name contains `TEXT`, or whose title does")
	fs.Var(&c.Result, "result", "only games with this `RESULT`: 1-0, 0-1, 1/2-1/2 or *")
}

// Sides returns the names of players by the tags that they stand in.
func (c *Conditions) Sides() map[string]string {
	tags := map[string]string{}
	for tag, name := range c.sides {
		if *name != "" {
			tags[tag] = *name
		}
	}
	return tags
}

// A ResultValue is a flag whose value is a result as PGN has it; "" if it is not given.
type ResultValue string

func (v *ResultValue) String() string { return string(*v) }

// Set sets the value, which Outcome checks: a result means different things in different games.
func (v *ResultValue) Set(text string) error {
	*v = ResultValue(text)
	return nil
}

// Words returns the possible values.
func (v *ResultValue) Words() []string { return []string{"1-0", "0-1", "1/2-1/2", "*"} }

// Outcome returns the outcome of a game, or nil if the flag is not given.
func (v ResultValue) Outcome(all games.Table, game engine.Game) (*engine.Outcome, error) {
	if v == "" {
		return nil, nil
	}
	outcome, ok := all.PGN(game).ParseResult(string(v))
	if !ok {
		return nil, fmt.Errorf("-result %s: want 1-0, 0-1, 1/2-1/2 or *", string(v))
	}
	return &outcome, nil
}
