package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"qhsh/engine"
	"qhsh/engine/interruptible"
	"qhsh/engine/printable"
	"qhsh/engine/record"
	"qhsh/pluginclient/task/batch/input"
	"qhsh/pluginclient/task/batch/store"
	"qhsh/pluginclient/task/explore"
	"qhsh/pluginclient/task/records"
)

// readOpenings reads the file of -openings, which has positions or games.
func (c *gameTerms) readOpenings(ctx context.Context, say func(string)) error {
	if c.openings == "" {
		return nil
	}
	file, err := interruptible.Open(ctx, c.openings)
	if err != nil {
		return usagef("-openings: %w", err)
	}
	defer file.Close()
	in := bufio.NewReader(file)
	if head, _ := in.Peek(len(store.Magic)); string(head) == store.Magic {
		err = c.databaseOpenings(ctx, say) // opens it again, by its path
	} else {
		err = c.textOpenings(ctx, in, say)
	}
	if err == nil && len(c.terms.Openings) == 0 {
		err = usagef("-openings: %s contains no positions", c.openings)
	}
	return err
}

func (c *gameTerms) textOpenings(ctx context.Context, in io.Reader, say func(string)) error {
	const most = 1 << 30 // in bytes
	text, err := io.ReadAll(io.LimitReader(in, most+1))
	if len(text) > most {
		err = fmt.Errorf("%s: over %d MiB: take a part of it, or a database of 'qhsh explore add'", c.openings, most>>20)
	}
	lines := false
	if err == nil {
		lines, err = records.HoldsMoves(c.games.Records(c.terms.Game), bytes.NewReader(text))
	}
	switch {
	case err != nil:
	case lines:
		err = c.positionOpenings(ctx, text, say)
	default:
		_, err = c.gameOpenings(ctx, text, say)
	}
	if err != nil {
		return usagef("-openings: %w", err)
	}
	return nil
}

// databaseOpenings reads the beginnings of the games in a database of explore.
func (c *gameTerms) databaseOpenings(ctx context.Context, say func(string)) error {
	db, err := explore.Open(ctx, c.openings, c.games, c.terms.Game)
	if err != nil {
		return usagef("-openings: %w", err)
	}
	err = c.beginnings(say, func(f func(*record.Game) error) error {
		return db.Each(ctx, explore.Filter{}, func(_ explore.GameID, g *record.Game) error { return f(g) })
	})
	if err := errors.Join(err, db.Close()); err != nil {
		return fmt.Errorf("-openings: %w", err)
	}
	return nil
}

// positionOpenings reads openings from lines, which are positions or, failing that, plain moves.
func (c *gameTerms) positionOpenings(ctx context.Context, text []byte, say func(string)) error {
	items, err := input.Positions(c.terms.Game, c.openings, bytes.NewReader(text))
	if err != nil {
		var said []string
		if whole, gamesErr := c.gameOpenings(ctx, text, func(text string) { said = append(said, text) }); gamesErr == nil && whole {
			say(said[0])
			return nil
		}
		c.terms.Openings = nil
		return err
	}
	remark := sayRemark(func(text string) { say("-openings: " + text) })
	for _, item := range items {
		remark(item)
		if c.isOver(item.Pos) {
			say(fmt.Sprintf("-openings: %s:%d: the game is already over: skipped", c.openings, item.Line))
			continue
		}
		c.terms.Openings = append(c.terms.Openings, item.Pos)
	}
	return nil
}

// gameOpenings reads the beginnings of games. It reports whether no game is damaged.
func (c *gameTerms) gameOpenings(ctx context.Context, text []byte, say func(string)) (whole bool, err error) {
	whole = true
	files := records.Files{
		Library: c.games.Records(c.terms.Game),
		OnDamaged: func(err error) {
			whole = false
			say(fmt.Sprintf("-openings: %v", err))
		},
	}
	err = c.beginnings(say, func(f func(*record.Game) error) error {
		return files.EachIn(ctx, bytes.NewReader(text), c.openings, func(_ int, g *record.Game) error { return f(g) })
	})
	return whole, err
}

// beginnings makes the beginnings of games the openings, and says how many there are.
func (c *gameTerms) beginnings(say func(string), each func(func(*record.Game) error) error) error {
	o, err := records.ReadOpenings(each, c.terms.Plies, c.isOver)
	if err != nil {
		return err
	}
	c.terms.Openings = o.Positions
	text := fmt.Sprintf("-openings: %s: %s of %s", c.openings, printable.Plural(len(o.Positions), "opening"), printable.Plural(o.Games, "game"))
	if o.Repeated > 0 {
		text += fmt.Sprintf("; skipped %d that were already there", o.Repeated)
	}
	if o.Over > 0 {
		text += fmt.Sprintf("; skipped %d after which the game is over: use -plies", o.Over)
	}
	say(text)
	return nil
}

func (c *gameTerms) isOver(pos engine.Position) bool { return c.terms.Judge(pos).Over() }
