package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"

	"qhsh/engine/games"
	"qhsh/engine/printable"
	"qhsh/engine/record"
	"qhsh/pluginclient/task/records"
)

var convertCommand = command{
	name:     "convert",
	operands: "[FILE... | -]",
	summary:  "convert files of games to another format and notation: PGN, XQF, CBR, DhtmlXQ, JSON, moves",
	complete: filesThat(isRecord),
	setup: func(fs *flag.FlagSet, all games.Table) action {
		var c convertAction
		fs.BoolVar(&c.unique, "unique", false, "leave out games that repeat an earlier one, if they have no variations or comments of their own")
		c.gameFlags.define(fs, all)
		c.recordFlags.define(fs)
		defineOutput(fs, &c.outputFlags, records.Formats(all))
		c.notation.define(fs, all)
		return c.run
	},
}

// convertAction is the command with its flags.
type convertAction struct {
	outputFlags
	recordFlags
	gameFlags
	notation notationFlag
	unique   bool
}

func (c *convertAction) run(ctx context.Context, h host, operands []string) error {
	chosen, err := choose(c.outputFlags, records.Formats(h.Games))
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
	in, err := c.findRecords(h, game, "convert", operands)
	if err != nil {
		return err
	}
	in.Library = in.Library.WithIllegalStarts()
	var seen records.Unique
	var lost []string
	count, repeated := 0, 0
	err = in.writeOutput(ctx, c.outputFlags, func(w io.Writer) error {
		write, err := chosen.Write(w, records.Style{Library: in.Library, Notation: notation, OnLost: func(part string) { lost = append(lost, part) }})
		if err != nil {
			return err
		}
		return in.each(ctx, func(file string, number int, g *record.Game) error {
			if c.unique && !seen.IsNew(g) {
				repeated++
				return nil
			}
			count++
			return write(file, number, g)
		})
	})
	if c.path != "" && (err == nil || errors.Is(err, errSomeFailed)) {
		fmt.Fprintf(h.Stderr, "qhsh convert: %s written\n", plural(count, "game"))
	}
	if len(lost) > 0 {
		fmt.Fprintf(h.Stderr, "qhsh convert: %s cannot hold %s\n", chosen.Name, printable.Line(strings.Join(lost, ", ")))
	}
	if repeated > 0 {
		fmt.Fprintf(h.Stderr, "qhsh convert: %s left out\n", plural(repeated, "repeated game"))
	}
	return err
}

// plural formats a number with a noun, such as "1 game" or "2 games".
func plural(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}
