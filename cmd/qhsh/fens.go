package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"

	"qhsh/engine"
	"qhsh/engine/games"
	"qhsh/engine/record"
	"qhsh/pluginclient/format"
)

var fensCommand = command{
	name:     "fens",
	operands: "[FILE... | -]",
	summary:  "write the positions of games, one a line",
	help: `Writes every position of the main lines as a FEN with all six fields, which 'qhsh hints'
can read. -unique leaves out a position that has come up before, in whatever game: the
same pieces and the same side to move.

` + recordHelp + `
Examples:
  qhsh fens -unique *.pgn -o positions.fen
  qhsh fens -last game.xqf | qhsh hints -level 7
`,
	setup: func(fs *flag.FlagSet, all games.Table) action {
		var c fens
		fs.BoolVar(&c.unique, "unique", false, "write a position once")
		fs.BoolVar(&c.last, "last", false, "write only the last position of each game")
		fs.BoolVar(&c.variations, "variations", false, "write the positions of variations, too")
		c.gameFlags.define(fs, all)
		defineOutput(fs, &c.outputFlags, fenFormats())
		return c.run
	},
}

// fens is the command with its flags.
type fens struct {
	outputFlags
	gameFlags
	unique, last, variations bool
	seen                     map[uint64]struct{}
}

// A fenSink writes positions.
type fenSink func(w io.Writer) func(fenLine) error

// A fenLine is a position, and where it comes from.
type fenLine struct {
	File string `json:"file,omitempty"`
	Game int    `json:"game"`
	Ply  int    `json:"ply"`
	FEN  string `json:"fen"`
}

func fenFormats() format.Table[fenSink] {
	return format.Table[fenSink]{
		{Name: "text", Extensions: []string{".fen", ".txt", ".epd"}, Write: func(w io.Writer) func(fenLine) error {
			return func(l fenLine) error {
				_, err := fmt.Fprintln(w, l.FEN)
				return err
			}
		}},
		{Name: "json", Extensions: []string{".jsonl", ".json"}, Write: func(w io.Writer) func(fenLine) error {
			enc := json.NewEncoder(w)
			return func(l fenLine) error { return enc.Encode(l) }
		}},
	}
}

func (c *fens) run(ctx context.Context, h host, operands []string) error {
	chosen, err := choose(c.outputFlags, fenFormats())
	if err != nil {
		return err
	}
	if c.last && c.variations {
		return usagef("-last and -variations: a variation has no last position of the game")
	}
	game, err := c.game()
	if err != nil {
		return err
	}
	in, err := findRecords(h, game, "fens", operands)
	if err != nil {
		return err
	}
	return in.pour(ctx, c.outputFlags, func(w io.Writer) error {
		write := chosen.Write(w)
		c.seen = map[uint64]struct{}{}
		return in.each(ctx, func(file string, number int, g *record.Game) error {
			if !in.several() {
				file = ""
			}
			return c.positions(g, func(ply int, p engine.Position) error {
				return write(fenLine{file, number, ply, p.String()})
			})
		})
	})
}

// positions calls f with the positions of a game that are wanted, and their plies.
func (c *fens) positions(g *record.Game, f func(ply int, p engine.Position) error) error {
	ply := -1
	for n, p := range g.Positions(c.variations) {
		ply++
		if c.variations {
			_, moves := p.History()
			ply = len(moves)
		}
		if c.last && len(n.Next) > 0 {
			continue
		}
		if c.unique {
			if _, ok := c.seen[p.Key()]; ok {
				continue
			}
			c.seen[p.Key()] = struct{}{}
		}
		if err := f(ply, p); err != nil {
			return err
		}
	}
	return nil
}
