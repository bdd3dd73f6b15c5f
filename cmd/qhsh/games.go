package main

import (
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
	xqrecord "qhsh/engine/xiangqi/record"
	"qhsh/pluginclient/batch"
	"qhsh/pluginclient/form"
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
	notation           string
	player, red, black string
	event, result      string
	position           string
	variations         bool

	outcome engine.Outcome
	key     uint64
}

func (c *listing) define(fs *flag.FlagSet, all games.Table) {
	fs.StringVar(&c.player, "player", "", "only games of `NAME`, on either side")
	fs.StringVar(&c.red, "red", "", "only games in which `NAME` is Red")
	fs.StringVar(&c.black, "black", "", "only games in which `NAME` is Black")
	fs.StringVar(&c.event, "event", "", "only games of an event whose name contains `TEXT`, or whose title does")
	fs.StringVar(&c.result, "result", "", "only games that ended so: `RESULT` is 1-0, 0-1, 1/2-1/2 or *")
	fs.StringVar(&c.position, "position", "", "only games in which `POSITION` came up: a FEN or startpos, perhaps with moves")
	fs.BoolVar(&c.variations, "variations", false, "look for the position in variations, too")
	defineOutput(fs, &c.outputFlags, listForms())
	defineNotation(fs, all, &c.notation)
}

// listForms are the forms of a list.
func listForms() form.Table[gameSink] {
	table := form.Table[gameSink]{{Name: "text", Extensions: []string{".txt"}, Write: listText}, {Name: "json", Extensions: []string{".jsonl", ".json"}, Write: listJSON}}
	for _, f := range recordForms() {
		if f.Name == "pgn" {
			table = append(table, f)
		}
	}
	return table
}

func (c *listing) run(ctx context.Context, h host, operands []string) error {
	chosen, err := choose(c.outputFlags, listForms())
	if err != nil {
		return err
	}
	if err := c.conditions(h.Games); err != nil {
		return err
	}
	in, err := findRecords(h, "games", operands)
	if err != nil {
		return err
	}
	return in.pour(c.outputFlags, func(w io.Writer) error {
		write, err := chosen.Write(w, c.notation)
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
func (c *listing) conditions(all games.Table) error {
	if c.result != "" {
		var ok bool
		if c.outcome, ok = record.ParseResult(c.result); !ok {
			return usagef("-result %s: want 1-0, 0-1, 1/2-1/2 or *", c.result)
		}
	}
	if c.position != "" {
		item := batch.Parse(all.Loose(all.Usual()), c.position)
		if item.Err != nil {
			return usagef("-position: %w", item.Err)
		}
		c.key = item.Pos.Key()
	}
	return nil
}

// wanted tells whether a game meets the conditions.
func (c *listing) wanted(g *record.Game) bool {
	red, black := g.Tags.Get("Red"), g.Tags.Get("Black")
	switch {
	case !containsFold(red, c.player) && !containsFold(black, c.player),
		!containsFold(red, c.red), !containsFold(black, c.black),
		!containsFold(g.Tags.Get("Event"), c.event) && !containsFold(g.Tags.Get("Title"), c.event),
		c.result != "" && g.Result != c.outcome:
		return false
	}
	return c.position == "" || xqrecord.Library.Reaches(g, c.key, c.variations)
}

// listText writes a table whose columns have a width of their own, so that it comes as it
// is read.
func listText(w io.Writer, _ string) (func(string, int, *record.Game) error, error) {
	last := ""
	begun := false
	return func(file string, number int, g *record.Game) error {
		if !begun {
			begun = true
			if _, err := io.WriteString(w, "    #  result   plies  date          red               black             event\n"); err != nil {
				return err
			}
		}
		if file != last {
			last = file
			if _, err := fmt.Fprintf(w, "%s\n", printable.Line(file)); err != nil {
				return err
			}
		}
		event := g.Tags.Get("Event")
		if event == "" {
			event = g.Tags.Get("Title")
		}
		line := fmt.Sprintf("%5d  %-7s  %5d  %s  %s  %s  %s", number, record.FormatResult(g.Result), g.Plies(),
			cell(g.Tags.Get("Date"), 12), cell(g.Tags.Get("Red"), 16), cell(g.Tags.Get("Black"), 16), printable.Line(event))
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

// A listed game is what the list tells about it.
type listed struct {
	File   string `json:"file,omitempty"`
	Game   int    `json:"game"`
	Red    string `json:"red,omitempty"`
	Black  string `json:"black,omitempty"`
	Result string `json:"result"`
	Date   string `json:"date,omitempty"`
	Event  string `json:"event,omitempty"`
	Title  string `json:"title,omitempty"`
	FEN    string `json:"fen"`
	Plies  int    `json:"plies"`
}

func listJSON(w io.Writer, _ string) (func(string, int, *record.Game) error, error) {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return func(file string, number int, g *record.Game) error {
		return enc.Encode(listed{
			File: file, Game: number, Red: g.Tags.Get("Red"), Black: g.Tags.Get("Black"), Result: record.FormatResult(g.Result),
			Date: g.Tags.Get("Date"), Event: g.Tags.Get("Event"), Title: g.Tags.Get("Title"), FEN: g.Start.String(), Plies: g.Plies(),
		})
	}, nil
}
