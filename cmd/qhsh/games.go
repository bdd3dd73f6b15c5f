package main

import (
	"cmp"
	"context"
	"flag"
	"io"
	"strings"

	"qhsh/engine/games"
	"qhsh/engine/record"
	"qhsh/pluginclient/format"
	"qhsh/pluginclient/task/batch"
	"qhsh/pluginclient/task/records"
)

var gamesCommand = command{
	name:     "games",
	operands: "[FILE... | -]",
	summary:  "list or count the games of files, or those of a player, with a result, through a position",
	complete: filesThat(isRecord),
	setup:    defined[gamesAction],
}

type gamesAction struct {
	exploreAction // that lists the games of a database
	selection     records.Selection
	position      string
	stats         bool
	duplicates    bool
}

// formats are those of a list; statistics have CSV, too.
func (*gamesAction) formats() format.Table[records.Writer] {
	csv, _ := records.StatisticsFormats().ByName("csv")
	return append(records.ListFormats(), format.Format[records.Writer]{Name: csv.Name, Extensions: csv.Extensions})
}

func (c *gamesAction) define(fs *flag.FlagSet, all games.Table) {
	c.filters.Define(fs, all)
	c.findFlags.define(fs)
	fs.StringVar(&c.db, "db", "", "list the games of a database of 'qhsh explore', `FILE`, instead of files")
	fs.StringVar(&c.position, "position", "", "only games in which `POSITION` occurs: a FEN or startpos, optionally with moves")
	fs.BoolVar(&c.selection.Variations, "variations", false, "look for the position in variations, too")
	fs.BoolVar(&c.stats, "stats", false, "count games, players, dates, results, lengths, openings, events, formats and repeated games")
	fs.BoolVar(&c.duplicates, "duplicates", false, "list games that are the same as another, the beginning of another or begin like another")
	c.gameFlags.define(fs, all)
	c.recordFlags.define(fs)
	defineOutput(fs, &c.outputFlags, c.formats())
	for _, name := range []string{"format", "o"} {
		fs.Lookup(name).Usage += "; csv is only for -stats"
	}
	c.notation.define(fs, all)
}

func (c *gamesAction) run(ctx context.Context, h host, operands []string) error {
	if c.stats && c.duplicates {
		return usagef("-stats counts repeated games, too: leave out -duplicates to count, or -stats to list")
	}
	if c.db != "" {
		return c.listDatabase(ctx, h, operands)
	}
	chosen, err := choose(c.outputFlags, records.ListFormats())
	if err != nil && !c.stats && !c.duplicates { // which have formats of their own
		return err
	}
	game, err := c.game()
	if err != nil {
		return err
	}
	filter, err := c.filters.Filter(ctx, h.Games, game)
	if err != nil {
		return usageError{err}
	}
	switch {
	case filter.Aliases != nil:
		return usagef("-aliases requires -db")
	case filter.Mirror && c.pattern == "":
		return usagef("-mirror requires -db or -pattern")
	}
	wanted, err := c.findFlags.matcher(h.Games, game, filter.Mirror)
	if err != nil {
		return err
	}
	c.selection.Player, c.selection.Event, c.selection.Tags, c.selection.Result = c.filters.Player, c.filters.Event, c.filters.Sides(), filter.Result
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
	each := func(f func(file string, number int, g *record.Game) error) error {
		return in.each(ctx, func(file string, number int, g *record.Game) error {
			if !c.selection.Matches(g, in.Library) || !filter.Includes(g.Tags.Get("Date")) || !occurs(wanted, g) {
				return nil
			}
			return f(in.label(file), number, g)
		})
	}
	switch {
	case c.stats:
		return c.count(ctx, h, in, each)
	case c.duplicates:
		return c.listDuplicates(ctx, h, in, each)
	}
	return in.writeOutput(ctx, c.outputFlags, func(w io.Writer) error {
		sink, err := chosen.Write(w, records.Style{Library: in.Library, Games: h.Games, Notation: notation, Width: c.listWidth(h)})
		if err != nil {
			return err
		}
		return each(func(file string, number int, g *record.Game) error { return sink.Write(file, number, g) })
	})
}

func (c *gamesAction) listDatabase(ctx context.Context, h host, operands []string) error {
	if len(operands) > 0 {
		return usagef("unexpected argument %q: -db has the games", operands[0])
	}
	if wrong := firstSet(c.flags, "stats", "duplicates", "variations", lenientName, "encoding"); wrong != "" {
		return usagef("-%s is for files of games", wrong)
	}
	return c.listGames(ctx, h, strings.Fields(c.position))
}

// An eachGame calls f with the games that are selected.
type eachGame = func(f func(file string, number int, g *record.Game) error) error

func (c *gamesAction) count(ctx context.Context, h host, in *gameFiles, each eachGame) error {
	chosen, err := choose(c.outputFlags, records.StatisticsFormats())
	if err != nil {
		return err
	}
	s := records.Statistics{Games: h.Games, Files: len(in.Names), Formats: map[string]int{}}
	in.Library = in.Library.OnFormat(func(_ string, f *record.Format) { s.Formats[f.Name]++ })
	s.Library = in.Library
	in.OnDamaged = func(err error) {
		s.Invalid++
		in.reportDamage(err)
	}
	return in.writeOutput(ctx, c.outputFlags, func(w io.Writer) error {
		err := each(func(file string, number int, g *record.Game) error {
			s.Add(file, number, g)
			return nil
		})
		if isComplete(err) {
			err = cmp.Or(chosen.Write(w, &s), err)
		}
		return err
	})
}

// listDuplicates lists the games that are the same as another, cut short or alike.
func (c *gamesAction) listDuplicates(ctx context.Context, h host, in *gameFiles, each eachGame) error {
	chosen, err := choose(c.outputFlags, listFormats[records.Duplicate]())
	if err != nil {
		return err
	}
	all := records.Duplicates{Games: h.Games}
	return in.writeOutput(ctx, c.outputFlags, func(w io.Writer) error {
		err := each(func(file string, number int, g *record.Game) error {
			all.Add(file, number, g)
			return nil
		})
		if !isComplete(err) {
			return err
		}
		return cmp.Or(writeItems(w, chosen, all.Find(true)), err)
	})
}
