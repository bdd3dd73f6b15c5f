package main

import (
	"context"
	"io"

	"qhsh/engine"
	"qhsh/engine/record"
	"qhsh/pluginclient/task/explore"
	"qhsh/pluginclient/task/records"
)

// listGames lists the games through a position, or with one that is described by its material or a
// pattern, as 'qhsh games' does.
func (c *exploreAction) listGames(ctx context.Context, h host, operands []string) error {
	chosen, err := choose(c.outputFlags, records.ListFormats())
	if err != nil {
		return err
	}
	game, filter, err := c.selected(ctx, h, operands)
	if err != nil {
		return err
	}
	notation, err := c.notation.of(game)
	if err != nil {
		return err
	}
	wanted := func(engine.Position) bool { return true }
	if c.findFlags.given() {
		if wanted, err = c.findFlags.matcher(h.Games, game, filter.Mirror); err != nil {
			return err
		}
	}
	return c.read(ctx, h, func(db *explore.DB, w io.Writer) error {
		write, err := chosen.Write(w, records.Style{Library: h.Games.Records(game), Notation: notation, Width: c.listWidth(h)})
		if err != nil {
			return err
		}
		return db.Each(ctx, filter, func(id explore.GameID, g *record.Game) error {
			for _, pos := range g.Positions(false) {
				if wanted(pos) {
					return write(id.Source, id.Number, g)
				}
			}
			return nil
		})
	})
}
