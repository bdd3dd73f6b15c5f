package main

import (
	"context"
	"flag"
	"io"
	"strings"

	"qhsh/engine"
	"qhsh/engine/games"
	"qhsh/engine/record"
	"qhsh/pluginclient/format"
	"qhsh/pluginclient/task/annotate"
	"qhsh/pluginclient/task/explore"
	"qhsh/pluginclient/task/output"
	"qhsh/pluginclient/task/records"
)

// findFlags are the flags of 'qhsh explore find'.
type findFlags struct {
	material, pattern string
}

func (f *findFlags) define(fs *flag.FlagSet) {
	fs.StringVar(&f.material, "material", "", "find positions with the `PIECES`, as letters; with + at the end, also with others")
	fs.StringVar(&f.pattern, "pattern", "", "find positions that match `BOARD`, the board of a FEN with ?, *, + and - as wildcards")
}

// given reports whether positions are described.
func (f *findFlags) given() bool { return f.material != "" || f.pattern != "" }

// matcher returns what reports whether a position is wanted, or nil if all are. With mirror the pattern also matches with
// left and right exchanged.
func (f *findFlags) matcher(all games.Table, game engine.Game, mirror bool) (func(engine.Position) bool, error) {
	if !f.given() {
		return nil, nil
	}
	finder, canFind := all.Row(game), func(r *games.Row) bool { return r.Material != nil }
	if !canFind(finder) {
		return nil, usageError{all.Unsupported(game, "-material and -pattern", canFind)}
	}
	matches := func(engine.Position) bool { return true }
	if f.material != "" {
		var err error
		if matches, err = finder.Material(f.material); err != nil {
			return nil, usageError{err}
		}
	}
	if f.pattern == "" {
		return matches, nil
	}
	fits, err := finder.Pattern(f.pattern, mirror)
	if err != nil {
		return nil, usageError{err}
	}
	return func(p engine.Position) bool { return matches(p) && fits(p) }, nil
}

// occurs reports whether the main line of a game has a position that is wanted.
func occurs(wanted func(engine.Position) bool, g *record.Game) bool {
	if wanted == nil {
		return true
	}
	for _, pos := range g.Positions(false) {
		if wanted(pos) {
			return true
		}
	}
	return false
}

// find lists the games in which a position occurs that is described by its material or a pattern.
func (c *exploreAction) find(ctx context.Context, h host, operands []string) error {
	if !c.findFlags.given() {
		return usagef("missing -material PIECES or -pattern BOARD")
	}
	chosen, err := choose(c.outputFlags, listFormats[explore.Found]())
	if err != nil {
		return err
	}
	game, filter, _, err := c.selected(ctx, h, operands)
	if err != nil {
		return err
	}
	matches, err := c.findFlags.matcher(h.Games, game, filter.Mirror)
	if err != nil {
		return err
	}
	return c.read(ctx, h, explore.Open, func(db *explore.DB, w io.Writer) error {
		return db.Find(ctx, filter, matches, func(found explore.Found) error { return chosen.Write(w, found) })
	})
}

// writeResults returns what writes the results of players or openings. what is the head of their names.
func writeResults(what string, list func(*explore.DB, context.Context, explore.Filter) ([]explore.Results, error)) exploreRun {
	return func(c *exploreAction, ctx context.Context, h host, operands []string) error {
		chosen, err := choose(c.outputFlags, format.Table[func(io.Writer, []explore.Results) error]{
			{Name: "text", Extensions: []string{".txt"}, Write: func(w io.Writer, list []explore.Results) error { return explore.WriteResults(w, what, list) }},
			{Name: "json", Extensions: []string{".json", ".jsonl"}, Write: explore.WriteResultsJSON},
		})
		if err != nil {
			return err
		}
		game, filter, notation, err := c.selected(ctx, h, operands)
		if err != nil {
			return err
		}
		return c.read(ctx, h, explore.Open, func(db *explore.DB, w io.Writer) error {
			found, err := list(db, ctx, filter)
			if err != nil {
				return err
			}
			for _, r := range found {
				if len(r.Ambiguous) > 0 {
					h.sayf("explore", "%s counts as %s, but may be another %s: characters of its spelling stand for several", strings.Join(r.Ambiguous, ", "), r.Name, what)
				}
			}
			if language := annotate.Chinese.String(); notation == h.Games.NotationFor(game, language) {
				for i := range found {
					found[i].Name = h.Games.Word(game, language, found[i].Name)
				}
			}
			return chosen.Write(w, found)
		})
	}
}

// listGames lists the games through a position, or with one that is described by its material or a
// pattern, as 'qhsh games' does.
func (c *exploreAction) listGames(ctx context.Context, h host, operands []string) error {
	chosen, err := choose(c.outputFlags, records.ListFormats())
	if err != nil {
		return err
	}
	game, filter, notation, err := c.selected(ctx, h, operands)
	if err != nil {
		return err
	}
	wanted, err := c.findFlags.matcher(h.Games, game, filter.Mirror)
	if err != nil {
		return err
	}
	return c.read(ctx, h, explore.Open, func(db *explore.DB, w io.Writer) error {
		sink, err := chosen.Write(w, records.Style{Library: h.Games.Records(game), Games: h.Games, Notation: notation, Width: c.listWidth(h)})
		if err != nil {
			return err
		}
		each := db.Each
		if chosen.Name == record.PGN.Name {
			each = db.EachWhole
		}
		return each(ctx, filter, func(id explore.GameID, g *record.Game) error {
			if !occurs(wanted, g) {
				return nil
			}
			return sink.Write(id.Source, id.Number, g)
		})
	})
}

// novelty lists the first new move of each game of files.
func (c *exploreAction) novelty(ctx context.Context, h host, operands []string) error {
	chosen, err := choose(c.outputFlags, explore.NoveltyFormats())
	if err != nil {
		return err
	}
	game, err := c.game()
	if err != nil {
		return err
	}
	notation, err := c.notation.of(game)
	if err != nil {
		return err
	}
	filter, err := c.filters.Filter(ctx, h.Games, game)
	if err != nil {
		return usageError{err}
	}
	in, err := c.findRecords(h, game, "explore", operands)
	if err != nil {
		return err
	}
	return c.read(ctx, h, explore.Open, func(db *explore.DB, w io.Writer) error {
		write := chosen.Write(w, game, explore.WriteOptions{Games: h.Games, Notation: notation})
		return in.each(ctx, func(file string, number int, g *record.Game) error {
			n, err := db.Novelty(ctx, g, filter)
			if err != nil {
				return err
			}
			return write(explore.GameID{Source: file, Number: number}, g, n)
		})
	}, output.Inputs(in.infos...)...)
}
