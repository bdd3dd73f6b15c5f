package main

import (
	"flag"
	"strings"

	"qhsh/engine"
	"qhsh/engine/games"
)

// conditionFlags are the flags that select games by what their records say.
type conditionFlags struct {
	player, event, result string
	sides                 map[string]*string // the players' names by the tags that they stand in
}

func (c *conditionFlags) define(fs *flag.FlagSet, all games.Table) {
	fs.StringVar(&c.player, "player", "", "only games of `NAME`, on either side")
	c.sides = map[string]*string{}
	for _, game := range all.Games() {
		for _, tag := range all.PGN(game).Players() {
			if c.sides[tag] == nil {
				c.sides[tag] = fs.String(strings.ToLower(tag), "", "only games in which `NAME` is "+tag)
			}
		}
	}
	fs.StringVar(&c.event, "event", "", "only games of an event whose name contains `TEXT`, or whose title does")
	fs.Var(choiceValue{textValue{&c.result}, []string{"1-0", "0-1", "1/2-1/2", "*"}}, "result", "only games with this `RESULT`: 1-0, 0-1, 1/2-1/2 or *")
}

// outcome returns the outcome of -result, or nil without that flag.
func (c *conditionFlags) outcome(all games.Table, game engine.Game) (*engine.Outcome, error) {
	if c.result == "" {
		return nil, nil
	}
	outcome, ok := all.PGN(game).ParseResult(c.result)
	if !ok {
		return nil, usagef("-result %s: want 1-0, 0-1, 1/2-1/2 or *", c.result)
	}
	return &outcome, nil
}

// tags returns the names of players by the tags that they stand in.
func (c *conditionFlags) tags() map[string]string {
	tags := map[string]string{}
	for tag, name := range c.sides {
		tags[tag] = *name
	}
	return tags
}
