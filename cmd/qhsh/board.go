package main

import (
	"bytes"
	"cmp"
	"context"
	"flag"
	"io"
	"strings"

	"qhsh/engine/games"
	"qhsh/engine/render/raster"
	"qhsh/pluginclient/format"
	"qhsh/pluginclient/task/output"
)

var boardCommand = command{
	name:     "board",
	operands: "[POSITION]",
	summary:  "draw a board as SVG or PNG",
	complete: operandWords("startpos"),
	setup:    defined[boardAction],
}

// boardAction is the command with its flags.
type boardAction struct {
	gameFlags
	outputFlags
	picture games.ImageOptions
	arrows  string
	marks   string
}

func (c *boardAction) define(fs *flag.FlagSet, all games.Table) {
	c.gameFlags.define(fs, all)
	fs.StringVar(&c.picture.Last, "last", "", "mark `MOVE` as the last one, such as h2e2 or 炮二平五")
	fs.StringVar(&c.arrows, "arrows", "", "draw `ARROWS`, such as h9g7,b7e7")
	fs.StringVar(&c.marks, "marks", "", "mark `POINTS`, such as e4,c6")
	fs.BoolVar(&c.picture.Flip, "flip", false, "show Black's side at the bottom")
	fs.BoolVar(&c.picture.Letters, "letters", false, "show the letters of a FEN on the pieces")
	fs.Var(optionalCount(&c.picture.Width, raster.MaxWidth), "size", "make the picture `N` pixels wide; without it SVG has no size of its own, and PNG is 1000 wide")
	defineOutput(fs, &c.outputFlags, boardFormats())
}

// A boardWriter writes a picture.
type boardWriter = func(w io.Writer, svg string, width int) error

func boardFormats() format.Table[boardWriter] {
	return format.Table[boardWriter]{
		{Name: "svg", Extensions: []string{".svg"}, Write: func(w io.Writer, svg string, _ int) error {
			_, err := io.WriteString(w, svg)
			return err
		}},
		{Name: "png", Extensions: []string{".png"}, Write: raster.PNG},
	}
}

// splitList splits the words of a flag, which commas or blanks separate.
func splitList(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ' ' })
}

func (c *boardAction) run(ctx context.Context, h host, operands []string) (err error) {
	chosen, err := choose(c.outputFlags, boardFormats())
	if err != nil {
		return err
	}
	if chosen.Name == "png" && c.path == "" && h.StdoutTTY {
		return usagef("-format png: not shown on a terminal: name a file with -o")
	}
	game, err := c.game()
	if err != nil {
		return err
	}
	p := game.Start()
	if len(operands) > 0 {
		if p, err = readOperands(h.Games, game, operands); err != nil {
			return cmp.Or(needsGame(h.Games, game, operands), err)
		}
		h.remark("board", p)
	}
	c.picture.Arrows, c.picture.Marks = splitList(c.arrows), splitList(c.marks)
	svg, err := h.Games.SVG(p, c.picture)
	if err != nil {
		return usagef("-%w", err) // that of a flag
	}
	var drawn bytes.Buffer // before a file is touched
	if err := chosen.Write(&drawn, svg, c.picture.Width); err != nil {
		return err
	}
	if err := refuseShared(c.used(h)); err != nil {
		return err
	}
	out, err := output.Replace(ctx, c.options(h))
	if err != nil {
		return err
	}
	defer closeInto(&err, out.Close)
	_, err = drawn.WriteTo(out)
	return finish(out, err)
}
