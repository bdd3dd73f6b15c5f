package script

import (
	"fmt"
	"slices"
	"strings"

	"go.starlark.net/starlark"

	"qhsh/engine"
	"qhsh/engine/games"
)

// shorten quotes text from a script, cut if it is long.
func shorten(text string) string {
	const most = 40
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + "..."
	}
	return starlark.String(text).String()
}

func pieceAt(g *games.Row, b *board, c *call) (starlark.Value, error) {
	var point string
	if err := c.unpack(&point); err != nil {
		return nil, err
	}
	letter, err := g.At(b.pos, point)
	switch {
	case err != nil:
		return nil, b.at(c, err)
	case letter == 0:
		return starlark.None, nil
	}
	return letterValue(letter), nil
}

// letterValue returns the letter of a piece.
func letterValue(letter byte) starlark.Value { return starlark.String(rune(letter)) }

func pieces(g *games.Row, b *board, c *call) (starlark.Value, error) {
	if err := c.unpack(); err != nil {
		return nil, err
	}
	all := g.Pieces(b.pos)
	dict := starlark.NewDict(len(all))
	for _, p := range all {
		if err := dict.SetKey(starlark.String(p.Point), letterValue(p.Letter)); err != nil {
			return nil, err
		}
	}
	return dict, nil
}

func material(g *games.Row, b *board, c *call) (starlark.Value, error) {
	if err := c.unpack(); err != nil {
		return nil, err
	}
	var counts [256]int
	for _, p := range g.Pieces(b.pos) {
		counts[p.Letter]++
	}
	letters := g.Letters
	dict := starlark.NewDict(len(letters))
	for _, letter := range []byte(letters) {
		if n := counts[letter]; n > 0 {
			if err := dict.SetKey(letterValue(letter), starlark.MakeInt(n)); err != nil {
				return nil, err
			}
		}
	}
	return dict, nil
}

func attackers(g *games.Row, b *board, c *call) (starlark.Value, error) {
	var text, point string
	if err := c.unpack(&text, &point); err != nil {
		return nil, err
	}
	side, err := parseSide(b.pos.Game(), text)
	if err != nil {
		return nil, b.at(c, err)
	}
	found, err := g.Attackers(b.pos, side, point)
	if err != nil {
		return nil, b.at(c, err)
	}
	points := make([]starlark.Value, len(found))
	for i, point := range found {
		points[i] = starlark.String(point)
	}
	return starlark.NewList(points), nil
}

// parseSide parses the name of a side.
func parseSide(g engine.Game, text string) (engine.Turn, error) {
	for _, side := range []engine.Turn{engine.First, engine.Second} {
		if engine.SideName(g, side) == text {
			return side, nil
		}
	}
	return 0, fmt.Errorf("side %s: want %q or %q", shorten(text), engine.SideName(g, engine.First), engine.SideName(g, engine.Second))
}

func mirror(g *games.Row, b *board, c *call) (starlark.Value, error) {
	if err := c.unpack(); err != nil {
		return nil, err
	}
	pos, err := g.Mirror(b.pos)
	if err != nil {
		return nil, b.at(c, err)
	}
	return b.kind.newBoard(pos), nil
}

// defaultStyle is the default style of text(). For games without it the game's own default is used.
const defaultStyle = "ascii"

func boardText(b *board, c *call) (starlark.Value, error) {
	options := games.TextOptions{Style: defaultStyle}
	if err := c.unpack(&options.Style, &options.Flip); err != nil {
		return nil, err
	}
	styles := b.kind.row.Styles
	known := slices.Contains(styles, strings.ToLower(options.Style))
	switch {
	case len(styles) == 0 && (options.Flip || options.Style != defaultStyle):
		return nil, b.at(c, fmt.Errorf("style and flip do not apply to %s", engine.Title(b.pos.Game())))
	case !known && options.Style != defaultStyle:
		return nil, fmt.Errorf("text: style %s: want %s", shorten(options.Style), strings.Join(styles, ", "))
	case !known:
		options.Style = ""
	}
	text := b.kind.Draw(b.pos, options)
	return starlark.String(strings.TrimSuffix(text, "\n")), nil // print ends the line
}

func boardSVG(b *board, c *call) (starlark.Value, error) {
	var arrows, marks stringsArgument
	var p games.ImageOptions
	if err := c.unpack(&arrows, &marks, &p.Letters, &p.Flip); err != nil {
		return nil, err
	}
	p.Arrows, p.Marks = arrows, marks
	svg, err := b.kind.SVG(b.pos, p)
	if err != nil {
		return nil, b.at(c, err)
	}
	return starlark.String(svg), nil
}

// A stringsArgument is an argument that is an iterable of strings.
type stringsArgument []string

// Unpack implements starlark.Unpacker.
func (s *stringsArgument) Unpack(v starlark.Value) error {
	iter := starlark.Iterate(v)
	if iter == nil {
		return fmt.Errorf("got %s, want a list of strings", v.Type())
	}
	defer iter.Done()
	var elem starlark.Value
	for i := 0; iter.Next(&elem); i++ {
		text, ok := starlark.AsString(elem)
		if !ok {
			return fmt.Errorf("element %d is a %s, want a string", i, elem.Type())
		}
		*s = append(*s, text)
	}
	return nil
}

var _ starlark.Unpacker = (*stringsArgument)(nil)
