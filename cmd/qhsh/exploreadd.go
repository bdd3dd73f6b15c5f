package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"

	"qhsh/engine/games"
	"qhsh/engine/printable"
	"qhsh/pluginclient/format"
	"qhsh/pluginclient/task/batch/stats"
	"qhsh/pluginclient/task/explore"
	"qhsh/pluginclient/task/output"
)

func (c *exploreAction) add(ctx context.Context, h host, operands []string) (err error) {
	if len(operands) == 0 || slices.Contains(operands, stdinName) {
		return usagef("missing files of games: the database remembers games by the names of their files")
	}
	game, err := c.game()
	if err != nil {
		return err
	}
	in, err := c.findRecords(h, game, "explore", operands)
	if err != nil {
		return err
	}
	if err := refuseShared(append(output.Inputs(in.infos...), output.WrittenFile("-db", c.db))); err != nil {
		return err
	}
	names := make([]string, len(in.Names))
	for i, name := range in.Names {
		names[i] = sourceName(name)
	}
	db, err := c.open(ctx, h, explore.Create)
	if err != nil {
		return err
	}
	defer closeInto(&err, db.Close)
	p := addProgress{bar: statusLine{command: "explore", w: h.Stderr, on: h.StderrTTY}, files: len(names), path: c.db}
	in.OnDamaged = func(err error) { p.bar.clear(); in.reportDamage(err) }
	err = db.Add(ctx, in.Library, names, explore.AddOptions{Whole: c.whole, OnSource: p.update, OnDamaged: in.OnDamaged})
	p.bar.clear()
	switch {
	case err == nil:
		p.end()
	case ctx.Err() != nil:
		p.bar.say("interrupted: the same command adds the other files")
	}
	if err == nil && in.failed {
		err = errSomeFailed
	}
	return err
}

// sourceName returns the name of a file in a database.
func sourceName(path string) string { return filepath.ToSlash(filepath.Clean(path)) }

// addProgress shows how far files of games have been added.
type addProgress struct {
	bar   statusLine
	path  string // of the database
	files int
	done  int // files, of which some were known
	known int
	games int // including duplicates
	again int // duplicates
	empty int // without moves
}

func (p *addProgress) update(s explore.Source) {
	p.done++
	p.games += s.Games
	p.again += s.Duplicates
	p.empty += s.Empty
	if s.Known {
		p.known++
	}
	if p.bar.due() {
		p.bar.draw(fmt.Sprintf("%d of %s, %s", p.done, printable.Plural(p.files, "file"), printable.Plural(p.games, "game")))
	}
}

func (p *addProgress) end() {
	text := fmt.Sprintf("%s of %s added", printable.Plural(p.games-p.again, "game"), printable.Plural(p.done-p.known, "file"))
	if p.known > 0 {
		text += fmt.Sprintf("; %s there already", printable.Plural(p.known, "file"))
	}
	if p.empty > 0 {
		text += fmt.Sprintf("; left out %s without moves", printable.Plural(p.empty, "game"))
	}
	if p.again > 0 {
		text += fmt.Sprintf("; left out %s: 'qhsh explore duplicates -db %s' lists them", printable.Plural(p.again, "duplicate"), p.path)
	}
	p.bar.say(text)
}

// bookFormats are the formats of the books of a game's programs.
func bookFormats(row *games.Row) (formats format.Table[games.BookFormat]) {
	for _, f := range row.Books {
		formats = append(formats, format.Format[games.BookFormat]{Name: f.Name, Extensions: []string{f.Extension}, Write: f})
	}
	return formats
}

// scoreBook adds the scores of a book of another program.
func (c *exploreAction) scoreBook(ctx context.Context, h host, db *explore.DB, file string) (positions int, err error) {
	book, err := explore.OpenBook(ctx, file, h.Games, db.Game(), new(explore.BookIndex))
	if err != nil {
		return 0, usageError{err}
	}
	defer closeInto(&err, book.Close)
	if !book.Foreign() {
		return 0, usagef("%s is a database of 'qhsh explore', not a book of another program", file)
	}
	return db.AddBook(ctx, book, db.Game().Start())
}

// writeBook writes the moves from a position on as a book of another program.
func (c *exploreAction) writeBook(ctx context.Context, h host, operands []string) error {
	game, filter, _, err := c.selected(ctx, h, operands)
	if err != nil {
		return err
	}
	formats := bookFormats(h.Games.Row(game))
	if len(formats) == 0 {
		return usageError{h.Games.Unsupported(game, "book", func(r *games.Row) bool { return r.Books != nil })}
	}
	chosen, err := choose(c.outputFlags, formats)
	if err != nil {
		return err
	}
	if c.path == "" {
		return usagef("a book needs a file: name it with -o, such as -o book.%s", chosen.Name)
	}
	from := cmp.Or(filter.Position, game.Start())
	return c.read(ctx, h, openAny(new(explore.BookIndex)), func(db *explore.DB, w io.Writer) error {
		positions, moves, err := db.WriteBook(ctx, w, chosen.Write, from, c.bookGames)
		if err == nil {
			h.sayf("explore", "%s of %s written", printable.Plural(moves, "move"), printable.Plural(positions, "position"))
		}
		return err
	})
}

// score adds scores from outputs of hints, or of books of other programs, to the database.
func (c *exploreAction) score(ctx context.Context, h host, operands []string) (err error) {
	if len(operands) == 0 {
		return usagef("missing file written by 'qhsh hints', or book")
	}
	for _, file := range operands {
		if err := checkFile(file); err != nil && file != stdinName {
			return usageError{err}
		}
	}
	if err := refuseShared(append(output.InputsAt(operands...), output.WrittenFile("-db", c.db))); err != nil {
		return err
	}
	db, err := c.open(ctx, h, explore.Create)
	if err != nil {
		return err
	}
	defer closeInto(&err, db.Close)
	failed := 0
	for _, file := range operands {
		var n int
		if _, ok := bookFormats(h.Games.Row(db.Game())).ByPath(file); ok {
			n, err = c.scoreBook(ctx, h, db, file)
		} else {
			n, err = db.AddScores(ctx, stats.ReadAnswers(ctx, file, h.Stdin), func(err error) bool {
				if !errors.Is(err, stats.ErrNotAnswer) {
					return true
				}
				if failed++; failed <= maxWarnings {
					fmt.Fprintf(h.Stderr, "qhsh explore: %s\n", printable.Error(err))
				}
				return false
			})
		}
		if err != nil {
			return err
		}
		h.sayf("explore", "%s: scores of %s", file, printable.Plural(n, "position"))
	}
	if failed > 0 {
		return errSomeFailed
	}
	return nil
}

func (c *exploreAction) remove(ctx context.Context, h host, operands []string) (err error) {
	if len(operands) == 0 {
		return usagef("missing source: 'qhsh explore sources -db %s' lists them", c.db)
	}
	if err := checkFile(c.db); err != nil {
		return usagef("-db: %w", err)
	}
	db, err := c.open(ctx, h, explore.Create)
	if err != nil {
		return err
	}
	defer closeInto(&err, db.Close)
	for _, name := range operands {
		if err := db.Remove(ctx, sourceName(name)); errors.Is(err, explore.ErrNoSource) {
			return usagef("%w: 'qhsh explore sources -db %s' lists them", err, c.db)
		} else if err != nil {
			return err
		}
	}
	return nil
}
