package main

import (
	"cmp"
	"context"
	"flag"
	"io"
	"strings"

	"qhsh/engine"
	"qhsh/engine/games"
	"qhsh/engine/record"
	"qhsh/pluginclient/task/batch"
	"qhsh/pluginclient/task/records"
)

var gamesCommand = command{
	name:     "games",
	operands: "[FILE... | -]",
	summary:  "list the games of files, or those of a player, with a result, through a position",
	help:     guide("games"),
	complete: recordFiles,
	setup: func(fs *flag.FlagSet, all games.Table) action {
		var c gamesAction
		c.define(fs, all)
		return c.run
	},
}

// gamesAction is the command with its flags.
type gamesAction struct {
	outputFlags
	notation notationFlag
	gameFlags
	selection        records.Selection
	sides            map[string]*string // the players' names by the tags that they stand in
	result, position string
}

func (c *gamesAction) define(fs *flag.FlagSet, all games.Table) {
	fs.StringVar(&c.selection.Player, "player", "", "only games of `NAME`, on either side")
	c.sides = map[string]*string{}
	for _, game := range all.Games() {
		for _, tag := range all.PGN(game).Players() {
			if c.sides[tag] == nil {
				c.sides[tag] = fs.String(strings.ToLower(tag), "", "only games in which `NAME` is "+tag)
			}
		}
	}
	fs.StringVar(&c.selection.Event, "event", "", "only games of an event whose name contains `TEXT`, or whose title does")
	fs.Var(choiceValue{textValue{&c.result}, []string{"1-0", "0-1", "1/2-1/2", "*"}}, "result", "only games with this `RESULT`: 1-0, 0-1, 1/2-1/2 or *")
	fs.StringVar(&c.position, "position", "", "only games in which `POSITION` occurs: a FEN or startpos, optionally with moves")
	fs.BoolVar(&c.selection.Variations, "variations", false, "look for the position in variations, too")
	c.gameFlags.define(fs, all)
	defineOutput(fs, &c.outputFlags, records.ListFormats())
	c.notation.define(fs, all)
}

func (c *gamesAction) run(ctx context.Context, h host, operands []string) error {
	chosen, err := choose(c.outputFlags, records.ListFormats())
	if err != nil {
		return err
	}
	game, err := c.game()
	if err != nil {
		return err
	}
	if err := c.conditions(h.Games, game); err != nil {
		return err
	}
	notation, err := c.notation.of(game)
	if err != nil {
		return err
	}
	in, err := findRecords(h, game, "games", operands)
	if err != nil {
		return err
	}
	in.Library = in.Library.WithIllegalStarts()
	return in.writeOutput(ctx, c.outputFlags, func(w io.Writer) error {
		write, err := chosen.Write(w, records.Style{Library: in.Library, Notation: notation})
		if err != nil {
			return err
		}
		return in.each(ctx, func(file string, number int, g *record.Game) error {
			if !c.selection.Matches(g, in.Library) {
				return nil
			}
			return write(in.label(file), number, g)
		})
	})
}

// conditions parses the flags that select games.
func (c *gamesAction) conditions(all games.Table, game engine.Game) error {
	c.selection.Tags = map[string]string{}
	for tag, name := range c.sides {
		c.selection.Tags[tag] = *name
	}
	if c.result != "" {
		outcome, ok := all.PGN(game).ParseResult(c.result)
		if !ok {
			return usagef("-result %s: want 1-0, 0-1, 1/2-1/2 or *", c.result)
		}
		c.selection.Result = &outcome
	}
	if c.position != "" {
		item := batch.Parse(all.AnyNotation(game), c.position)
		if item.Err != nil {
			return usagef("-position: %w", cmp.Or(needsGame(all, game, []string{c.position}), item.Err))
		}
		c.selection.Position = item.Pos
	}
	return nil
}
