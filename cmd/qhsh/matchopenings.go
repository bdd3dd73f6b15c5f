package main

import (
	"context"
	"fmt"

	"qhsh/engine"
	"qhsh/pluginclient/task/batch/input"
	"qhsh/pluginclient/task/records"
)

// readOpenings reads the file of -openings, which has positions or games.
func (c *gameTerms) readOpenings(ctx context.Context, say func(string)) error {
	if c.openings == "" {
		return nil
	}
	lines, err := records.HoldsMoves(c.games.Records(c.terms.Game), c.openings)
	switch {
	case err != nil:
		return usagef("-openings: %w", err)
	case lines:
		err = c.positionOpenings(ctx, say)
	default:
		_, err = c.gameOpenings(ctx, say)
	}
	if err == nil && len(c.terms.Openings) == 0 {
		err = usagef("-openings: %s contains no positions", c.openings)
	}
	return err
}

// positionOpenings reads openings from lines, which are positions or, failing that, plain moves.
func (c *gameTerms) positionOpenings(ctx context.Context, say func(string)) error {
	items, err := input.Positions(c.terms.Game, c.openings)
	if err != nil {
		var said []string
		if whole, gamesErr := c.gameOpenings(ctx, func(text string) { said = append(said, text) }); gamesErr == nil && whole {
			say(said[0])
			return nil
		}
		c.terms.Openings = nil
		return usagef("-openings: %w", err)
	}
	for _, item := range items {
		if c.isOver(item.Pos) {
			say(fmt.Sprintf("-openings: %s:%d: the game is already over: skipped", c.openings, item.Line))
			continue
		}
		c.terms.Openings = append(c.terms.Openings, item.Pos)
	}
	return nil
}

// gameOpenings reads the beginnings of games. It reports whether no game is damaged.
func (c *gameTerms) gameOpenings(ctx context.Context, say func(string)) (whole bool, err error) {
	whole = true
	files := records.Files{
		Library: c.games.Records(c.terms.Game), Names: []string{c.openings},
		OnDamaged: func(err error) {
			whole = false
			say(fmt.Sprintf("-openings: %v", err))
		},
	}
	o, err := files.Openings(ctx, c.terms.Plies, c.isOver)
	if err != nil {
		return false, usagef("-openings: %w", err)
	}
	c.terms.Openings = o.Positions
	text := fmt.Sprintf("-openings: %s: %s of %s", c.openings, plural(len(o.Positions), "opening"), gameCount(o.Games))
	if o.Repeated > 0 {
		text += fmt.Sprintf("; skipped %d that were already there", o.Repeated)
	}
	if o.Over > 0 {
		text += fmt.Sprintf("; skipped %d after which the game is over: use -plies", o.Over)
	}
	say(text)
	return whole, nil
}

func (c *gameTerms) isOver(pos engine.Position) bool { return c.terms.Judge(pos).Over() }
