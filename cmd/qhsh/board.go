package main

import (
	"bytes"
	"cmp"
	"context"
	"flag"
	"io"
	"strings"
	"time"

	"qhsh/engine"
	"qhsh/engine/games"
	"qhsh/engine/record"
	"qhsh/engine/render/raster"
	"qhsh/pluginclient/format"
	"qhsh/pluginclient/task/output"
)

var boardCommand = command{
	name:     "board",
	operands: "[POSITION | FILE | -]",
	summary:  "draw a board as SVG or PNG, or a game as GIF",
	complete: filesThat(isRecord),
	setup:    defined[boardAction],
}

type boardAction struct {
	gameFlags
	recordFlags
	outputFlags
	number  int // of the game in its file
	delay   time.Duration
	picture games.ImageOptions
	arrows  string
	marks   string
}

func (c *boardAction) define(fs *flag.FlagSet, all games.Table) {
	c.gameFlags.define(fs, all)
	c.recordFlags.define(fs)
	c.number, c.delay = 1, time.Second
	fs.Var(count(&c.number, 1<<30), "number", "show game `N` of FILE, as 'qhsh games' numbers them")
	fs.Var(duration(&c.delay), "delay", "show each move of a GIF for `TIME`, bad ones twice as long and the last three times")
	fs.StringVar(&c.picture.Last, "last", "", "mark `MOVE` as the last one, such as h2e2 or 炮二平五")
	fs.StringVar(&c.arrows, "arrows", "", "draw `ARROWS`, such as h9g7,b7e7")
	fs.StringVar(&c.marks, "marks", "", "mark `POINTS`, such as e4,c6")
	fs.BoolVar(&c.picture.Flip, "flip", false, "show Black's side at the bottom")
	fs.BoolVar(&c.picture.Chinese, "chinese", false, "name the files as Chinese notation does, at each side's edge")
	fs.BoolVar(&c.picture.Letters, "letters", false, "show the letters of a FEN on the pieces")
	fs.Var(optionalCount(&c.picture.Width, raster.MaxWidth), "size", "make the picture `N` pixels wide; without it SVG has no size of its own, PNG is 1000 wide, and GIF 500")
	defineOutput(fs, &c.outputFlags, boardFormats())
}

// A boardWriter writes a picture: of the last frame, or of all.
type boardWriter = func(w io.Writer, frames []raster.Frame, width int) error

const movingPicture = "gif"

func boardFormats() format.Table[boardWriter] {
	return format.Table[boardWriter]{
		{Name: "svg", Extensions: []string{".svg"}, Write: func(w io.Writer, frames []raster.Frame, _ int) error {
			_, err := io.WriteString(w, frames[len(frames)-1].SVG)
			return err
		}},
		{Name: "png", Extensions: []string{".png"}, Write: func(w io.Writer, frames []raster.Frame, width int) error {
			return raster.PNG(w, frames[len(frames)-1].SVG, width)
		}},
		{Name: movingPicture, Extensions: []string{".gif"}, Write: func(w io.Writer, frames []raster.Frame, width int) error {
			return raster.GIF(w, frames, cmp.Or(width, 500))
		}},
	}
}

// splitList splits the words of a flag, which commas or blanks separate.
func splitList(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ' ' })
}

func (c *boardAction) run(ctx context.Context, h host, operands []string) error {
	chosen, err := choose(c.outputFlags, boardFormats())
	if err != nil {
		return err
	}
	if chosen.Name != "svg" && c.path == "" && h.StdoutTTY {
		return usagef("-format %s: not shown on a terminal: name a file with -o", chosen.Name)
	}
	game, err := c.game()
	if err != nil {
		return err
	}
	g, err := c.read(ctx, h, game, operands)
	if err != nil {
		return err
	}
	c.picture.Arrows, c.picture.Marks = splitList(c.arrows), splitList(c.marks)
	frames, err := c.frames(h.Games, g, chosen.Name == movingPicture)
	if err != nil {
		return usagef("-%w", err) // that of a flag
	}
	var drawn bytes.Buffer // before a file is touched
	if err := chosen.Write(&drawn, frames, c.picture.Width); err != nil {
		return err
	}
	if err := refuseShared([]output.FileUse{c.used(h)}); err != nil {
		return err
	}
	return c.outputFlags.write(ctx, h, output.Replace, func(w io.Writer) error {
		_, err := drawn.WriteTo(w)
		return err
	})
}

// read returns the game of a file, or that which led to the position of the operands.
func (c *boardAction) read(ctx context.Context, h host, game engine.Game, operands []string) (found *record.Game, err error) {
	switch {
	case len(operands) == 0:
		return record.NewGame(game.Start()), nil
	case len(operands) > 1 || operands[0] != stdinName && !hasRecordExt(h.Games.Records(game), operands[0]):
		p, err := readOperands(h.Games, game, operands)
		if err != nil {
			return nil, cmp.Or(needsGame(h.Games, game, operands), err)
		}
		h.remark("board", p)
		return record.FromPosition(p), nil
	}
	in, err := c.findRecords(h, game, "board", operands)
	if err != nil {
		return nil, err
	}
	in.Number = c.number
	err = in.each(ctx, func(_ string, _ int, g *record.Game) error { found = g; return nil })
	if found == nil && err == nil {
		err = usagef("-number %d: no such game: 'qhsh games' lists the games", c.number)
	}
	return found, err
}

// frames returns the positions of a game's main line, or only the last one, with the signs of the moves and an arrow for the
// last variation beside a bad one. What the flags say is of the last position.
func (c *boardAction) frames(all games.Table, g *record.Game, every bool) (frames []raster.Frame, err error) {
	var nodes []*record.Node
	var line []engine.Position
	for n, p := range g.Positions(false) {
		nodes, line = append(nodes, n), append(line, p)
	}
	last := len(line) - 1
	for i, p := range line {
		if i < last && !every {
			continue
		}
		pic, frame := games.ImageOptions{Chinese: c.picture.Chinese, Flip: c.picture.Flip, Letters: c.picture.Letters, Width: c.picture.Width}, raster.Frame{Time: c.delay}
		if i == last {
			pic, frame.Time = c.picture, 3*c.delay
		}
		if glyphs := nodes[i].Glyphs; len(glyphs) > 0 && glyphs[0] <= 6 { // later ones judge the position
			pic.Sign = record.GlyphSign(glyphs[0])
		}
		if others := nodes[max(i-1, 0)].Next; i > 0 && strings.HasPrefix(pic.Sign, "?") {
			frame.Time = max(frame.Time, 2*c.delay)
			if len(others) > 1 {
				pic.Instead = line[i-1].Format(others[len(others)-1].Move)
			}
		}
		if frame.SVG, err = all.SVG(p, pic); err != nil {
			return nil, err
		}
		frames = append(frames, frame)
	}
	return frames, nil
}
