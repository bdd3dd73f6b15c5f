package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"

	"qhsh/engine"
	"qhsh/engine/games"
	"qhsh/pluginclient"
	"qhsh/pluginclient/format"
	"qhsh/pluginclient/task/explore"
	"qhsh/pluginclient/task/output"
	"qhsh/pluginclient/task/records"
)

var exploreCommand = command{
	name:     "explore",
	operands: "[add GAMES... | novelty GAMES... | score ANSWERS... | remove SOURCE... | sources | duplicates | [book | find | players | openings] [POSITION]]",
	summary:  "keep positions of games in a database, and see what was played in them",
	complete: exploreOperands,
	setup:    defined[exploreAction],
}

type exploreAction struct {
	outputFlags
	notation notationFlag
	recordFlags
	gameFlags
	filters explore.FilterFlags
	findFlags
	db        string
	bookGames int
	whole     bool
}

// An exploreVerb is what the first operand of the command may be; the one without a name is what a
// position asks for.
type exploreVerb struct {
	name     string
	hidden   bool     // another command does it now
	flags    []string // that it accepts besides those of every verb
	complete operandCompleter
	run      exploreRun
}

// exploreVerbs are the first operands that are not a position.
func exploreVerbs() []exploreVerb {
	written := []string{"o", "format"}
	filtered := slices.Clone(written)
	fs := flag.NewFlagSet("", flag.ContinueOnError)
	new(explore.FilterFlags).Define(fs, games.Default)
	fs.VisitAll(func(f *flag.Flag) { filtered = append(filtered, f.Name) })
	described := append([]string{"material", "pattern"}, filtered...)
	listed := append([]string{"notation"}, filtered...)
	return []exploreVerb{
		{name: "", flags: listed, run: (*exploreAction).query},
		{name: "add", flags: []string{lenientName, "encoding", "whole"}, complete: filesThat(isRecord), run: (*exploreAction).add},
		{name: "novelty", flags: append([]string{lenientName, "encoding"}, listed...), complete: filesThat(isRecord), run: (*exploreAction).novelty},
		{name: "score", complete: filesThat(areScores), run: (*exploreAction).score},
		{name: "remove", run: (*exploreAction).remove},
		{name: "sources", flags: written, run: writeList((*explore.DB).Sources)},
		{name: "duplicates", flags: written, run: writeList((*explore.DB).Duplicates)},
		{name: "book", flags: append([]string{"book-games"}, written...), run: (*exploreAction).writeBook},
		{name: "games", hidden: true, flags: append([]string{"notation"}, described...), run: (*exploreAction).listGames},
		{name: "find", flags: described, run: (*exploreAction).find},
		{name: "players", flags: filtered, run: writeResults("player", (*explore.DB).Players)},
		{name: "openings", flags: listed, run: writeResults("opening", (*explore.DB).Openings)},
	}
}

func (c *exploreAction) define(fs *flag.FlagSet, all games.Table) {
	c.bookGames = explore.DefaultBookGames
	fs.StringVar(&c.db, "db", "", "the database `FILE`")
	fs.BoolVar(&c.whole, "whole", false, "add the comments, variations and tags of games, too, for 'qhsh games -db FILE -format pgn'")
	c.filters.Define(fs, all)
	c.findFlags.define(fs)
	c.gameFlags.define(fs, all)
	c.recordFlags.define(fs)
	var formats format.Table[records.Writer] // of what is listed; each verb has its own
	for _, f := range explore.NoveltyFormats() {
		formats = append(formats, format.Format[records.Writer]{Name: f.Name, Extensions: f.Extensions})
	}
	for _, game := range all.Games() {
		for _, f := range bookFormats(all.Row(game)) {
			formats = append(formats, format.Format[records.Writer]{Name: f.Name, Extensions: f.Extensions})
		}
	}
	defineOutput(fs, &c.outputFlags, formats)
	fs.Var(count(&c.bookGames, 1<<30), "book-games", "write a move to a book if it was played in `N` games or more, or has a score")
	c.notation.define(fs, all)
}

func (c *exploreAction) run(ctx context.Context, h host, operands []string) error {
	if c.db == "" {
		return usagef("missing -db FILE, the database, as in 'qhsh explore add -db games.db GAMES...'")
	}
	verbs := exploreVerbs()
	v := verbs[0]
	if len(operands) > 0 {
		if i := slices.IndexFunc(verbs, func(v exploreVerb) bool { return v.name == operands[0] }); i > 0 {
			v, operands = verbs[i], operands[1:]
		}
	}
	allowed := append([]string{"db", "game"}, v.flags...)
	for _, o := range c.all.GameOptions() {
		allowed = append(allowed, o.Name)
	}
	if wrong := otherFlag(c.flags, allowed); wrong != "" {
		var users []string
		for _, v := range verbs {
			if !v.hidden && slices.Contains(v.flags, wrong) {
				users = append(users, "'"+strings.TrimSpace("qhsh explore "+v.name)+"'")
			}
		}
		return usagef("-%s is for %s", wrong, strings.Join(users, ", "))
	}
	return v.run(c, ctx, h, operands)
}

// exploreOperands completes a verb, and then its operands.
func exploreOperands(h host, operands []string, typed string) []pluginclient.Completion {
	if len(operands) == 0 {
		words := []string{"startpos"}
		for _, v := range exploreVerbs() {
			if v.name != "" && !v.hidden {
				words = append(words, v.name)
			}
		}
		return pluginclient.Completions(words, false)
	}
	for _, v := range exploreVerbs() {
		if v.name == operands[0] && v.complete != nil {
			return v.complete(h, operands[1:], typed)
		}
	}
	return nil
}

// An opener is explore.Open, explore.Create or an openAny.
type opener = func(ctx context.Context, path string, all games.Table, game engine.Game) (*explore.DB, error)

func (c *exploreAction) open(ctx context.Context, h host, by opener) (*explore.DB, error) {
	game, err := c.game()
	if err != nil {
		return nil, err
	}
	db, err := by(ctx, c.db, h.Games, game)
	if err != nil {
		return nil, usageError{err}
	}
	return db, nil
}

// selected returns the game, the filter that the flags describe, of games through a position if the operands
// are one, and the notation.
func (c *exploreAction) selected(ctx context.Context, h host, operands []string) (game engine.Game, filter explore.Filter, notation string, err error) {
	if game, err = c.game(); err != nil {
		return nil, filter, "", err
	}
	if filter, err = c.filters.Filter(ctx, h.Games, game); err != nil {
		return nil, filter, "", usageError{err}
	}
	switch {
	case len(operands) > 0:
		filter.Position, err = findPosition(h.Games, game, operands)
		h.remark("explore", filter.Position)
	case filter.Mirror && c.pattern == "":
		err = usagef("-mirror requires a position or -pattern")
	}
	if err == nil {
		notation, err = c.notation.of(game)
	}
	return game, filter, notation, err
}

// query reports what was played in a position.
func (c *exploreAction) query(ctx context.Context, h host, operands []string) (err error) {
	chosen, err := choose(c.outputFlags, explore.Formats())
	if err != nil {
		return err
	}
	if len(operands) == 0 {
		operands = []string{"startpos"}
	}
	_, filter, notation, err := c.selected(ctx, h, operands)
	if err != nil {
		return err
	}
	pos := filter.Position
	filter.Position = nil // all games of a report have it
	return c.read(ctx, h, openAny(nil), func(db *explore.DB, w io.Writer) error {
		r, err := db.Query(ctx, pos, filter)
		if err != nil {
			return err
		}
		return chosen.Write(w, r, explore.WriteOptions{Games: h.Games, Notation: notation})
	})
}

// openAny returns what opens a database, or a book of another program, with an index for many positions or nil.
func openAny(index *explore.BookIndex) opener {
	return func(ctx context.Context, path string, all games.Table, game engine.Game) (*explore.DB, error) {
		return explore.OpenBook(ctx, path, all, game, index)
	}
}

// read opens the database and the output, and calls write. inputs are other files that are read.
func (c *exploreAction) read(ctx context.Context, h host, by opener, write func(db *explore.DB, w io.Writer) error, inputs ...output.FileUse) (err error) {
	if err := refuseShared(append(append(inputs, output.InputsAt(c.db, c.filters.Aliases)...), c.used(h))); err != nil {
		return err
	}
	db, err := c.open(ctx, h, by)
	if err != nil {
		return err
	}
	defer closeInto(&err, db.Close)
	return c.outputFlags.write(ctx, h, output.Open, func(w io.Writer) error { return write(db, w) })
}

// listFormats are the formats of lists: a line or a line of JSON for each item.
func listFormats[T fmt.Stringer]() format.Table[func(w io.Writer, item T) error] {
	return format.Table[func(w io.Writer, item T) error]{
		{Name: "text", Extensions: []string{".txt"}, Write: func(w io.Writer, item T) error {
			_, err := fmt.Fprintln(w, item)
			return err
		}},
		{Name: "json", Extensions: []string{".json", ".jsonl"}, Write: format.JSONLine[T]},
	}
}

func writeItems[T any](w io.Writer, chosen format.Format[func(io.Writer, T) error], items []T) error {
	for _, item := range items {
		if err := chosen.Write(w, item); err != nil {
			return err
		}
	}
	return nil
}

type exploreRun = func(c *exploreAction, ctx context.Context, h host, operands []string) error

// writeList returns what writes a list from the database.
func writeList[T fmt.Stringer](list func(*explore.DB, context.Context) ([]T, error)) exploreRun {
	return func(c *exploreAction, ctx context.Context, h host, operands []string) error {
		if len(operands) > 0 {
			return usagef("unexpected argument %q", operands[0])
		}
		chosen, err := choose(c.outputFlags, listFormats[T]())
		if err != nil {
			return err
		}
		return c.read(ctx, h, explore.Open, func(db *explore.DB, w io.Writer) error {
			items, err := list(db, ctx)
			if err != nil {
				return err
			}
			return writeItems(w, chosen, items)
		})
	}
}
