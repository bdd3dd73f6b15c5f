package main

import (
	"cmp"
	"context"
	"flag"
	"io"

	"qhsh/engine/games"
	"qhsh/engine/record"
	"qhsh/pluginclient/task/batch"
	"qhsh/pluginclient/task/records"
)

var gamesCommand = command{
	name:     "games",
	operands: "[FILE... | -]",
	summary:  "list the games of files, or those of a player, with a result, through a position",
	complete: filesThat(isRecord),
	setup:    defined[gamesAction],
}

// gamesAction is the command with its flags.
type gamesAction struct {
	outputFlags
	notation notationFlag
	recordFlags
	gameFlags
	conditions records.Conditions
	selection  records.Selection
	position   string
}

func (c *gamesAction) define(fs *flag.FlagSet, all games.Table) {
	c.conditions.Define(fs, all)
	fs.StringVar(&c.position, "position", "", "only games in which `POSITION` occurs: a FEN or startpos, optionally with moves")
	fs.BoolVar(&c.selection.Variations, "variations", false, "look for the position in variations, too")
	c.gameFlags.define(fs, all)
	c.recordFlags.define(fs)
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
	c.selection.Player, c.selection.Event, c.selection.Tags = c.conditions.Player, c.conditions.Event, c.conditions.Sides()
	if c.selection.Result, err = c.conditions.Result.Outcome(h.Games, game); err != nil {
		return usageError{err}
	}
	if c.position != "" {
		item := batch.Parse(h.Games.AnyNotation(game), c.position)
		if item.Err != nil {
			return usagef("-position: %w", cmp.Or(needsGame(h.Games, game, []string{c.position}), positionError([]string{c.position}, item.Err)))
		}
		c.selection.Position = item.Pos
	}
	notation, err := c.notation.of(game)
	if err != nil {
		return err
	}
	in, err := c.findRecords(h, game, "games", operands)
	if err != nil {
		return err
	}
	in.Library = in.Library.WithIllegalStarts()
	return in.writeOutput(ctx, c.outputFlags, func(w io.Writer) error {
		sink, err := chosen.Write(w, records.Style{Library: in.Library, Games: h.Games, Notation: notation, Width: c.listWidth(h)})
		if err != nil {
			return err
		}
		return in.each(ctx, func(file string, number int, g *record.Game) error {
			if !c.selection.Matches(g, in.Library) {
				return nil
			}
			return sink.Write(in.label(file), number, g)
		})
	})
}
