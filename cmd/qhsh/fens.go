package main

import (
	"context"
	"flag"
	"io"

	"qhsh/engine"
	"qhsh/engine/games"
	"qhsh/engine/record"
	"qhsh/pluginclient/task/records"
)

var fensCommand = command{
	name:     "fens",
	operands: "[FILE... | -]",
	summary:  "write the positions of games, one per line",
	complete: filesThat(isRecord),
	setup:    defined[fensAction],
}

type fensAction struct {
	outputFlags
	recordFlags
	gameFlags
	records.Positions
}

func (c *fensAction) define(fs *flag.FlagSet, all games.Table) {
	fs.BoolVar(&c.Unique, "unique", false, "write a position once")
	fs.BoolVar(&c.Last, "last", false, "write only the last position of each game")
	fs.BoolVar(&c.Variations, "variations", false, "write the positions of variations, too")
	c.gameFlags.define(fs, all)
	c.recordFlags.define(fs)
	defineOutput(fs, &c.outputFlags, records.PositionFormats())
}

func (c *fensAction) run(ctx context.Context, h host, operands []string) error {
	chosen, err := choose(c.outputFlags, records.PositionFormats())
	if err != nil {
		return err
	}
	if c.Last && c.Variations {
		return usagef("-last and -variations exclude each other")
	}
	game, err := c.game()
	if err != nil {
		return err
	}
	in, err := c.findRecords(h, game, "fens", operands)
	if err != nil {
		return err
	}
	return in.writeOutput(ctx, c.outputFlags, func(w io.Writer) error {
		write := chosen.Write(w)
		return in.each(ctx, func(file string, number int, g *record.Game) error {
			return c.Each(g, func(ply int, p engine.Position) error {
				return write(records.Position{File: in.label(file), Game: number, Ply: ply, FEN: p.String()})
			})
		})
	})
}
