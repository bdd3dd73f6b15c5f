package main

import (
	"context"
	"flag"
	"io"

	"qhsh/engine/render"
	"qhsh/engine/xiangqi"
	"qhsh/engine/xiangqi/notation"
	"qhsh/pluginclient/form"
)

var boardCommand = command{
	name:     "board",
	operands: "[POSITION]",
	summary:  "draw a board as SVG or PNG",
	help: `Draws a position of Xiangqi. POSITION is a FEN, which needs no quotes, or startpos, and
may be followed by moves, of which the last is marked; it is the start of a game if left
out. Moves may be in any notation. That of -last is read where it has been played: before
the last of the moves, or in POSITION itself if there are none. The characters are part of the picture, so it looks the same wherever it is shown.

SVG goes to standard output; -format or the extension of -o chooses PNG.

Examples:
  qhsh board -o start.svg
  qhsh board startpos moves h2e2 h9g7 -o opening.png -size 600
  qhsh board 4k4/9/9/9/9/9/9/9/4R4/4K4 b -arrows e9d9,e9f9 -flip -o mate.svg
`,
	setup: func(fs *flag.FlagSet) action {
		var c boardAction
		c.define(fs)
		return c.run
	},
}

// boardAction is the command with its flags.
type boardAction struct {
	outputFlags
	options      render.SVGOptions
	last, arrows string
	size         int
}

func (c *boardAction) define(fs *flag.FlagSet) {
	fs.StringVar(&c.last, "last", "", "mark `MOVE` as the last one, such as h2e2 or 炮二平五")
	fs.StringVar(&c.arrows, "arrows", "", "draw `ARROWS`, such as h9g7,b7e7")
	fs.BoolVar(&c.options.Flip, "flip", false, "show Black's side at the bottom")
	fs.BoolVar(&c.options.Letters, "letters", false, "show the letters of a FEN on the pieces")
	fs.Var(pixelsValue{&c.size}, "size", "make the picture `N` pixels wide; without it SVG has no size of its own, and PNG is 1000 wide")
	defineOutput(fs, &c.outputFlags, boardForms())
}

// pixelsValue is a countValue that may be absent.
type pixelsValue struct{ n *int }

func (v pixelsValue) String() string { return "" }

func (v pixelsValue) Set(text string) error { return countValue{v.n, render.MaxWidth}.Set(text) }

// A boardWriter draws a position.
type boardWriter = func(w io.Writer, p *xiangqi.Position, o render.SVGOptions) error

func boardForms() form.Table[boardWriter] {
	return form.Table[boardWriter]{
		{Name: "svg", Extensions: []string{".svg"}, Write: func(w io.Writer, p *xiangqi.Position, o render.SVGOptions) error {
			_, err := io.WriteString(w, render.SVG(p, o))
			return err
		}},
		{Name: "png", Extensions: []string{".png"}, Write: render.PNG},
	}
}

func (c *boardAction) run(_ context.Context, h host, operands []string) (err error) {
	chosen, err := choose(c.outputFlags, boardForms())
	if err != nil {
		return err
	}
	if chosen.Name == "png" && c.path == "" && h.StdoutTTY {
		return usagef("-format png: a terminal cannot show it: name a file with -o")
	}
	p := xiangqi.Start()
	if len(operands) > 0 {
		if p, err = judgeOperands(operands); err != nil {
			return err
		}
	}
	if err := c.marks(p); err != nil {
		return err
	}
	if err := refuseShared(c.used(h)); err != nil {
		return err
	}
	out, err := c.replace(h)
	if err != nil {
		return err
	}
	defer closeInto(&err, out.Close)
	return out.finish(chosen.Write(out, p, c.options))
}

// marks reads what is to be marked.
func (c *boardAction) marks(p *xiangqi.Position) (err error) {
	c.options.Width = c.size
	if c.options.Arrows, err = render.ParseArrows(c.arrows); err != nil {
		return usagef("-arrows: %w", err)
	}
	if c.last == "" {
		c.options.Last, _ = p.LastMove()
		return nil
	}
	if c.options.Last, err = xiangqi.ParseMove(c.last); err == nil {
		return nil // points will do, whatever stands on them
	}
	if before := p.Before(); before != nil {
		p = before
	}
	if c.options.Last, err = notation.Parse(p.Board(), c.last); err != nil {
		return usagef("-last: %w", err)
	}
	return nil
}
