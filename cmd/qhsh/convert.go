package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"strconv"
	"strings"

	"qhsh/engine/games"
	"qhsh/engine/printable"
	"qhsh/engine/record"
	"qhsh/pluginclient/task/records"
)

var convertCommand = command{
	name:     "convert",
	operands: "[FILE... | -]",
	summary:  "convert files of games to another format and notation: PGN, XQF, CBR, CBL, DhtmlXQ, JSON, moves, training data",
	complete: filesThat(isRecord),
	setup:    defined[convertAction],
}

type convertAction struct {
	outputFlags
	recordFlags
	gameFlags
	notation notationFlag
	unique   bool
	merge    bool
	filter   records.Filter
}

func (c *convertAction) define(fs *flag.FlagSet, all games.Table) {
	fs.BoolVar(&c.unique, "unique", false, "leave out games that repeat another or are cut short, if they have no variations or comments of their own")
	fs.BoolVar(&c.merge, "merge", false, "write one game that has all moves of the games as variations, those of most games first")
	c.gameFlags.define(fs, all)
	c.recordFlags.define(fs)
	keys := parsed(&c.filter, records.ParseFilter)
	keys.words = records.FilterWords
	fs.Var(keys, "filter", "write only the positions of training data that pass: some `WORDS` of "+strings.Join(records.FilterWords, ","))
	defineOutput(fs, &c.outputFlags, records.Formats(all))
	c.notation.define(fs, all)
}

func (c *convertAction) run(ctx context.Context, h host, operands []string) error {
	chosen, err := choose(c.outputFlags, records.Formats(h.Games))
	if err != nil {
		return err
	}
	training := records.IsTraining(chosen.Name)
	if c.filter != (records.Filter{}) && !training {
		return usagef("-filter is for training data: add -format plain, text or jsonl")
	}
	game, err := c.game()
	if err != nil {
		return err
	}
	if row := h.Games.Row(game); c.filter.Quiet && row.Captures == nil || c.filter.NoCheck && row.InCheck == nil {
		return usagef("-filter quiet and nocheck are for %s", h.Games.TitlesWith(func(r *games.Row) bool { return r.Captures != nil && r.InCheck != nil }))
	}
	notation, err := c.notation.of(game)
	if err != nil {
		return err
	}
	in, err := c.findRecords(h, game, "convert", operands)
	if err != nil {
		return err
	}
	if !training {
		in.Library = in.Library.WithIllegalStarts()
	}
	if training && c.merge {
		return usagef("-merge makes games, not training data")
	}
	repeated := map[int]records.Relation{} // games that are left out, by their index
	if c.unique {
		if repeated, err = in.repeated(ctx, h.Games); err != nil {
			return err
		}
	}
	merger := records.Merger{Games: h.Games}
	var lost []string
	count, index := 0, 0
	err = in.writeOutput(ctx, c.outputFlags, func(w io.Writer) error {
		sink, err := chosen.Write(w, records.Style{Library: in.Library, Notation: notation, Filter: &c.filter, OnLost: func(part string) { lost = append(lost, part) }})
		if err != nil {
			return err
		}
		err = in.each(ctx, func(file string, number int, g *record.Game) error {
			if index++; repeated[index-1] != "" {
				return nil
			}
			if c.merge {
				return merger.Add(cmp.Or(in.label(file), "game")+" "+strconv.Itoa(number), g)
			}
			count++
			return sink.Write(in.label(file), number, g)
		})
		for i, g := range merger.Merged() {
			if isComplete(err) {
				count++
				err = cmp.Or(sink.Write("", i+1, g), err)
			}
		}
		if sink.Close != nil && isComplete(err) {
			err = cmp.Or(sink.Close(), err)
		}
		if training && c.filter.Written == 0 && (err == nil || count > 0 && errors.Is(err, errSomeFailed)) {
			return fmt.Errorf("no training data in %s%s", printable.Plural(count, "game"), c.filter.Left())
		}
		return err
	})
	if isComplete(err) {
		switch {
		case training:
			h.sayf("convert", "%s written%s", printable.Plural(c.filter.Written, "position"), c.filter.Left())
		case c.path != "":
			h.sayf("convert", "%s written", printable.Plural(count, "game"))
		}
	}
	if len(lost) > 0 {
		h.sayf("convert", "%s cannot hold %s", chosen.Name, strings.Join(lost, ", "))
	}
	if len(repeated) > 0 {
		text, short := printable.Plural(len(repeated), "repeated game")+" left out", 0
		for _, relation := range repeated {
			if relation == records.CutShort {
				short++
			}
		}
		if short > 0 {
			text += fmt.Sprintf(", %d of them cut short", short)
		}
		h.sayf("convert", "%s", text)
	}
	return err
}
