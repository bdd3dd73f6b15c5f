package main

import (
	"context"
	"encoding/csv"
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"

	"qhsh/engine"
	"qhsh/engine/games"
	"qhsh/engine/printable"
	"qhsh/pluginclient/format"
	"qhsh/pluginclient/task/batch"
	"qhsh/pluginclient/task/output"
)

var endingsCommand = command{
	name:     "endings",
	operands: "[make MATERIAL... | list | stats MATERIAL... | query [POSITION | FILE... | -] | theory]",
	summary:  "make tables of exact endings, and ask them what a position is worth",
	complete: wordAt(0, "make", "list", "stats", "query", "theory"),
	setup:    defined[endingsAction],
}

// endingsFlag is the folder of tables of endings.
type endingsFlag struct{ folder string }

func (f *endingsFlag) define(fs *flag.FlagSet, usage string) {
	fs.StringVar(&f.folder, "endings", "", usage)
}

// known returns what the tables in the program and in the folder, if there is one, say of a game's positions by a rule
// set, and a checksum of those in the folder.
func (f *endingsFlag) known(all games.Table, game engine.Game, rules string) (known engine.Known, checksum string, err error) {
	row := all.Row(game)
	switch {
	case games.HasEndings(row):
		tables := row.Endings(f.folder) // open until the program ends
		if f.folder != "" {
			checksum, err = tables.Load()
		}
		known = games.KnownBy(tables, rules)
	case f.folder != "":
		err = fmt.Errorf("it is for %s, not for %s", all.TitlesWith(games.HasEndings), engine.Title(game))
	}
	if err != nil {
		err = usagef("-endings: %w", err)
	}
	return known, checksum, err
}

// writtenEndingsUsage is for commands that write endings beside what the engine says.
const writtenEndingsUsage = "write what positions are worth by the tables of 'qhsh endings make' in `FOLDER`, too, beside those in the program"

// endingsUsage is for commands of which the engine is not asked about what the tables know.
const endingsUsage = "know endings by the tables of 'qhsh endings make' in `FOLDER`, too, beside those in the program"

type endingsAction struct {
	outputFlags
	notation notationFlag
	inputFlags
	dir   string
	rules *string
}

func (c *endingsAction) define(fs *flag.FlagSet, all games.Table) {
	fs.StringVar(&c.dir, "dir", "endings", "the `FOLDER` of the tables")
	c.rules = defineRules(fs, all, "query: count moves without a capture by these `RULES`")
	c.inputFlags.define(fs)
	defineOutput(fs, &c.outputFlags, endingFormats())
	c.notation.define(fs, all)
}

func (c *endingsAction) run(ctx context.Context, h host, operands []string) (err error) {
	row := h.Games.Row(h.Games.DefaultGame())
	if !games.HasEndings(row) {
		return usagef("no tables of endings for %s", engine.Title(row.Game))
	}
	if len(operands) == 0 {
		return usagef("missing verb: make, list, stats, query or theory, as in 'qhsh endings make KRKAA'")
	}
	tables := row.Endings(c.dir)
	defer closeInto(&err, tables.Close)
	verb, operands := operands[0], operands[1:]
	if len(operands) > 0 && (verb == "list" || verb == "theory") {
		return usagef("unexpected argument %q", operands[0])
	}
	switch verb {
	case "make":
		return c.make(ctx, h, tables, operands)
	case "list":
		return c.list(ctx, h, tables, func(string) bool { return true }, listFormats[games.EndingStats]())
	case "stats":
		return c.stats(ctx, h, tables, operands)
	case "theory":
		return writeEach(ctx, c.outputFlags, h, listFormats[games.EndingResult](), tables.Theory())
	case "query":
		return c.query(ctx, h, row.Game, tables, operands)
	}
	return usagef("%q: want make, list, stats, query or theory", verb)
}

// materials returns operands in the standard form.
func materials(tables games.EndingTables, operands []string) (all []string, err error) {
	if len(operands) == 0 {
		return nil, usagef("missing MATERIAL: Red's men and then Black's, such as KRKAA")
	}
	for _, text := range operands {
		m, err := tables.Material(text)
		if err != nil {
			return nil, usageError{err}
		}
		all = append(all, m)
	}
	return all, nil
}

// make makes tables. What is complete when the command is interrupted is kept.
func (c *endingsAction) make(ctx context.Context, h host, tables games.EndingTables, operands []string) error {
	all, err := materials(tables, operands)
	if err != nil {
		return err
	}
	made, found := 0, 0
	bar := &statusLine{command: "endings", w: h.Stderr, on: h.StderrTTY}
	defer bar.clear()
	for _, m := range all {
		err := tables.Make(ctx, m, func(material string, positions int) {
			if positions > 500_000 { // it takes a second or more
				bar.draw(fmt.Sprintf("%s: %.0f million positions", material, 2*float64(positions)/1e6))
			}
		}, func(s games.EndingStats, isNew bool) {
			bar.clear()
			if !isNew {
				found++
				return
			}
			made++
			h.sayf("endings", "%v", s)
		})
		if err != nil {
			return err
		}
	}
	h.sayf("endings", "%s made, %d found in %s", printable.Plural(made, "table"), found, c.dir)
	return nil
}

// list writes the stats of the tables that are selected.
func (c *endingsAction) list(ctx context.Context, h host, tables games.EndingTables, selected func(material string) bool, formats format.Table[func(io.Writer, games.EndingStats) error]) error {
	all, err := tables.List()
	if err != nil {
		return err
	}
	all = slices.DeleteFunc(all, func(s games.EndingStats) bool { return !selected(s.Material) })
	return writeEach(ctx, c.outputFlags, h, formats, all)
}

// writeEach writes values in the format that the flags choose.
func writeEach[T any](ctx context.Context, to outputFlags, h host, formats format.Table[func(io.Writer, T) error], all []T) error {
	chosen, err := choose(to, formats)
	if err != nil {
		return err
	}
	return to.write(ctx, h, output.Open, func(out io.Writer) error { return writeItems(out, chosen, all) })
}

func (c *endingsAction) stats(ctx context.Context, h host, tables games.EndingTables, operands []string) error {
	all, err := materials(tables, operands)
	if err != nil {
		return err
	}
	missing := map[string]bool{}
	for _, m := range all {
		missing[m] = true
	}
	formats := listFormats[games.EndingStats]()
	formats[0].Write = func(w io.Writer, s games.EndingStats) error {
		_, err := io.WriteString(w, s.Report())
		return err
	}
	err = c.list(ctx, h, tables, func(m string) bool {
		wanted := missing[m]
		delete(missing, m)
		return wanted
	}, formats)
	for _, m := range all { // in the order of the operands
		if err == nil && missing[m] {
			err = usagef("no table of %s in %s: 'qhsh endings make %s' makes it", m, c.dir, m)
		}
	}
	return err
}

// An ending is a position with its answer.
type ending struct {
	FEN string `json:"fen"`
	ID  string `json:"id,omitempty"`
	engine.Ending
	Names []string `json:"moves"`
}

func endingFormats() format.Table[func(w io.Writer, e ending) error] {
	formats := listFormats[ending]()
	return append(formats, format.Format[func(w io.Writer, e ending) error]{
		Name: "csv", Extensions: []string{".csv"}, Write: func(w io.Writer, e ending) error {
			plies := ""
			if e.Plies != nil {
				plies = fmt.Sprint(*e.Plies)
			}
			return writeRow(w, e.FEN, e.ID, e.Value, plies, fmt.Sprint(e.ByRule), fmt.Sprint(e.Cursed), fmt.Sprint(e.Repeated), e.Disputed, strings.Join(e.Names, " "))
		},
	})
}

func writeRow(w io.Writer, row ...string) error {
	out := csv.NewWriter(w)
	return out.WriteAll([][]string{row})
}

func (e ending) String() string {
	text := fmt.Sprintf("%s: %v", e.FEN, e.Ending)
	if len(e.Names) > 0 {
		text += ": " + strings.Join(e.Names, " ")
	}
	return text
}

// query writes what positions are worth.
func (c *endingsAction) query(ctx context.Context, h host, game engine.Game, tables games.EndingTables, operands []string) error {
	chosen, err := choose(c.outputFlags, endingFormats())
	if err != nil {
		return err
	}
	notation, err := c.notation.of(game)
	if err != nil {
		return err
	}
	c.inputFlags.game = h.Games.AnyNotation(game)
	var source batch.Source
	uses := []output.FileUse{c.used(h)}
	if areFiles(operands) {
		in, err := c.findInputs(ctx, h, "endings", operands)
		if err != nil {
			return err
		}
		defer in.close()
		source, uses = in.source(ctx), append(in.uses(), uses...)
	} else {
		pos, err := findPosition(h.Games, game, operands)
		if err != nil {
			return err
		}
		h.remark("endings", pos)
		source = batch.NewLines(c.inputFlags.game, "", strings.NewReader(strings.Join(operands, " ")))
	}
	if err := refuseShared(uses); err != nil {
		return err
	}
	return c.outputFlags.write(ctx, h, output.Open, func(out io.Writer) error {
		if chosen.Name == "csv" {
			if err := writeRow(out, "fen", "id", "value", "dtm", "byRule", "cursed", "repeated", "disputed", "moves"); err != nil {
				return err
			}
		}
		var failed error
		for {
			item, err := source.Next()
			if errors.Is(err, io.EOF) {
				return failed
			}
			if err != nil {
				return err
			}
			e := ending{ID: item.ID, Names: []string{}}
			if err = item.Err; err == nil {
				e.FEN = item.Pos.String()
				e.Ending, err = tables.Query(item.Pos, *c.rules)
			}
			if err != nil {
				failed = errSomeFailed
				h.sayf("endings", "%s: %v", batch.Location(item), err)
				continue
			}
			for _, m := range e.Moves {
				e.Names = append(e.Names, h.Games.Row(game).Names(item.Pos, []engine.Move{m}, notation)...)
			}
			if err := chosen.Write(out, e); err != nil {
				return err
			}
		}
	})
}
