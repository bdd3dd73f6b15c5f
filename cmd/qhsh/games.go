package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"strings"

	"github.com/mattn/go-runewidth"

	"qhsh/engine"
	"qhsh/engine/games"
	"qhsh/engine/printable"
	"qhsh/engine/record"
	"qhsh/pluginclient/format"
	"qhsh/pluginclient/task/batch"
)

var gamesCommand = command{
	name:     "games",
	operands: "[FILE... | -]",
	summary:  "list the games of files, or those of a player, with a result, through a position",
	help: `Lists games, one a line: their number in the file, result, plies (moves of both
sides), date, players and event. All conditions have to hold; names are compared
without regard to case, and a part of one is enough. -format pgn writes the games
themselves.

` + recordHelp + `
Examples:
  qhsh games library.cbl
  qhsh games -player 胡荣华 -result 1-0 *.pgn
  qhsh games -position 'startpos moves h2e2 h9g7 h0g2' games.pgn -format pgn -o opening.pgn
`,
	setup: func(fs *flag.FlagSet, all games.Table) action {
		var c listing
		c.define(fs, all)
		return c.run
	},
}

// listing is the command with its flags.
type listing struct {
	outputFlags
	notation notationFlag
	gameFlags
	player        string
	sides         map[string]*string // the players' names by the tags that they stand in
	event, result string
	position      string
	variations    bool

	lib     *record.Library
	outcome engine.Outcome
	key     uint64
}

func (c *listing) define(fs *flag.FlagSet, all games.Table) {
	fs.StringVar(&c.player, "player", "", "only games of `NAME`, on either side")
	c.sides = map[string]*string{}
	for _, game := range all.Games() {
		for _, tag := range all.PGN(game).Players() {
			if c.sides[tag] == nil {
				c.sides[tag] = fs.String(strings.ToLower(tag), "", "only games in which `NAME` is "+tag)
			}
		}
	}
	fs.StringVar(&c.event, "event", "", "only games of an event whose name contains `TEXT`, or whose title does")
	fs.StringVar(&c.result, "result", "", "only games that ended so: `RESULT` is 1-0, 0-1, 1/2-1/2 or *")
	fs.StringVar(&c.position, "position", "", "only games in which `POSITION` came up: a FEN or startpos, perhaps with moves")
	fs.BoolVar(&c.variations, "variations", false, "look for the position in variations, too")
	c.gameFlags.define(fs, all)
	defineOutput(fs, &c.outputFlags, listFormats(all))
	c.notation.define(fs, all)
}

// listFormats are the forms of a list.
func listFormats(all games.Table) format.Table[gameSink] {
	table := format.Table[gameSink]{{Name: "text", Extensions: []string{".txt"}, Write: listText}, {Name: "json", Extensions: []string{".jsonl", ".json"}, Write: listJSON}}
	return append(table, recordFormat(record.PGN))
}

func (c *listing) run(ctx context.Context, h host, operands []string) error {
	chosen, err := choose(c.outputFlags, listFormats(h.Games))
	if err != nil {
		return err
	}
	game, err := c.game()
	if err != nil {
		return err
	}
	if err := c.conditions(h.Games, game); err != nil {
		return err
	}
	notation, err := c.notation.of(game)
	if err != nil {
		return err
	}
	in, err := findRecords(h, game, "games", operands)
	if err != nil {
		return err
	}
	c.lib = in.lib
	return in.pour(ctx, c.outputFlags, func(w io.Writer) error {
		write, err := chosen.Write(w, recordStyle{in.lib, notation})
		if err != nil {
			return err
		}
		return in.each(ctx, func(file string, number int, g *record.Game) error {
			if !c.wanted(g) {
				return nil
			}
			if !in.several() {
				file = ""
			}
			return write(file, number, g)
		})
	})
}

// conditions reads the values of flags.
func (c *listing) conditions(all games.Table, game engine.Game) error {
	if c.result != "" {
		var ok bool
		if c.outcome, ok = all.PGN(game).ParseResult(c.result); !ok {
			return usagef("-result %s: want 1-0, 0-1, 1/2-1/2 or *", c.result)
		}
	}
	if c.position != "" {
		item := batch.Parse(all.Loose(game), c.position)
		if item.Err != nil {
			return usagef("-position: %w", cmp.Or(needsGame(all, game, []string{c.position}), item.Err))
		}
		c.key = item.Pos.Key()
	}
	return nil
}

// wanted tells whether a game meets the conditions.
func (c *listing) wanted(g *record.Game) bool {
	for tag, name := range c.sides {
		if !containsFold(g.Tags.Get(tag), *name) {
			return false
		}
	}
	first, second := players(g, c.lib)
	switch {
	case !containsFold(first, c.player) && !containsFold(second, c.player),
		!containsFold(g.Tags.Get("Event"), c.event) && !containsFold(g.Tags.Get("Title"), c.event),
		c.result != "" && g.Result != c.outcome:
		return false
	}
	return c.position == "" || c.lib.Reaches(g, c.key, c.variations)
}

// players are the names of who moves first and who moves second.
func players(g *record.Game, lib *record.Library) (first, second string) {
	return g.Tags.Get(lib.PGN.First), g.Tags.Get(lib.PGN.Second)
}

// listText writes a table whose columns have a width of their own, so that it comes as it
// is read.
func listText(w io.Writer, s recordStyle) (func(string, int, *record.Game) error, error) {
	const row = "%5v  %-7s  %5v  %s  %s  %s  %s"
	last := ""
	begun := false
	return func(file string, number int, g *record.Game) error {
		if !begun {
			begun = true
			first, second := strings.ToLower(s.lib.PGN.First), strings.ToLower(s.lib.PGN.Second)
			if _, err := fmt.Fprintf(w, row+"\n", "#", "result", "plies", cell("date", 12), cell(first, 16), cell(second, 16), "event"); err != nil {
				return err
			}
		}
		if file != last {
			last = file
			if _, err := fmt.Fprintf(w, "%s\n", printable.Line(file)); err != nil {
				return err
			}
		}
		first, second := players(g, s.lib)
		event := cmp.Or(g.Tags.Get("Event"), g.Tags.Get("Title"))
		line := fmt.Sprintf(row, number, s.lib.PGN.FormatResult(g.Result), g.Plies(),
			cell(g.Tags.Get("Date"), 12), cell(first, 16), cell(second, 16), printable.Line(event))
		_, err := fmt.Fprintln(w, strings.TrimRight(line, " "))
		return err
	}, nil
}

// wide counts the columns of a text on a terminal. What is of either width is narrow.
var wide = &runewidth.Condition{}

// cell is a text, escaped, in so many columns.
func cell(text string, width int) string {
	return wide.FillRight(wide.Truncate(printable.Line(text), width, "…"), width)
}

func listJSON(w io.Writer, s recordStyle) (func(string, int, *record.Game) error, error) {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return func(file string, number int, g *record.Game) error {
		first, second := players(g, s.lib)
		return enc.Encode(object{
			{"file", file},
			{"game", number},
			{strings.ToLower(s.lib.PGN.First), first},
			{strings.ToLower(s.lib.PGN.Second), second},
			{"result", s.lib.PGN.FormatResult(g.Result)},
			{"date", g.Tags.Get("Date")},
			{"event", g.Tags.Get("Event")},
			{"title", g.Tags.Get("Title")},
			{"fen", g.Start.String()},
			{"plies", g.Plies()},
		})
	}, nil
}

// An object is one of JSON whose keys depend on the game. Empty texts are left out.
type object []struct {
	key   string
	value any
}

// MarshalJSON writes the object in its order.
func (o object) MarshalJSON() ([]byte, error) {
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	text.WriteByte('{')
	for _, field := range o {
		if field.value == "" {
			continue
		}
		if text.Len() > 1 {
			text.WriteByte(',')
		}
		if err := enc.Encode(field.key); err != nil {
			return nil, err
		}
		text.WriteByte(':')
		if err := enc.Encode(field.value); err != nil {
			return nil, err
		}
	}
	text.WriteByte('}')
	return text.Bytes(), nil
}
