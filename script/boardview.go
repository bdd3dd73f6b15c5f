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

func pieces(g *games.Row, b *board, _ *call) (starlark.Value, error) {
	return dictOf(g.Pieces(b.pos), func(p games.Piece) (key, value starlark.Value) {
		return starlark.String(p.Point), letterValue(p.Letter)
	}), nil
}

// kinds returns the pieces that have several kinds.
func kinds(g *games.Row, b *board, _ *call) (starlark.Value, error) {
	orNone := func(name string) starlark.Value {
		if name == "" {
			return starlark.None
		}
		return starlark.String(name)
	}
	return dictOf(g.Kinds(b.pos), func(p games.PieceKinds) (key, value starlark.Value) {
		return starlark.String(p.Point), dictOf([]starlark.Tuple{
			{starlark.String("side"), starlark.String(engine.SideName(b.pos.Game(), p.Side))},
			{starlark.String("kinds"), listOf(p.Kinds, orNone)},
			{starlark.String("now"), orNone(p.Now)},
			{starlark.String("odds"), dictOf(p.Odds, func(o games.KindOdds) (key, value starlark.Value) {
				return starlark.String(o.Kind), starlark.Float(o.Odds)
			})},
		}, func(field starlark.Tuple) (key, value starlark.Value) { return field[0], field[1] })
	}), nil
}

func material(g *games.Row, b *board, _ *call) (starlark.Value, error) {
	var counts [256]int
	for _, p := range g.Pieces(b.pos) {
		counts[p.Letter]++
	}
	found := slices.DeleteFunc([]byte(g.Letters), func(letter byte) bool { return counts[letter] == 0 })
	return dictOf(found, func(letter byte) (key, value starlark.Value) {
		return letterValue(letter), starlark.MakeInt(counts[letter])
	}), nil
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
	return listOf(found, stringValue), nil
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
