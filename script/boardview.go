package script

import (
	"errors"
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

func (b *board) pieceAt(point string) (string, error) {
	letter, err := b.kind.row.At(b.pos, point)
	switch {
	case err != nil:
		return "", b.at(err)
	case letter == 0:
		return "", nil
	}
	return string(rune(letter)), nil
}

func (b *board) kinds() *starlark.Dict {
	orNone := func(name string) any {
		if name == "" {
			return nil
		}
		return name
	}
	return dictOf(b.kind.row.Kinds(b.pos), func(p games.PieceKinds) (string, *starlark.Dict) {
		kinds := starlark.NewList(nil)
		for _, name := range p.Kinds {
			_ = kinds.Append(toValue(orNone(name))) // it is not frozen
		}
		return p.Point, dictOf([][2]any{
			{"side", engine.SideName(b.pos.Game(), p.Side)},
			{"kinds", kinds},
			{"now", orNone(p.Now)},
			{"odds", dictOf(p.Odds, func(o games.KindOdds) (string, float64) { return o.Kind, o.Odds })},
		}, func(field [2]any) (key, value any) { return field[0], field[1] })
	})
}

// ending returns what the tables of endings say; None if they do not have the position.
func (b *board) ending() (starlark.Value, error) {
	e, err := b.kind.row.Endings("").Query(b.pos, "")
	switch {
	case errors.Is(err, engine.ErrUnknownEnding):
		return starlark.None, nil
	case err != nil:
		return nil, err
	}
	fields := [][2]any{{"value", e.Value}}
	if e.Plies != nil {
		fields = append(fields, [2]any{"dtm", *e.Plies})
	}
	for _, f := range []struct {
		name  string
		value any
		is    bool
	}{{"byRule", true, e.ByRule}, {"cursed", true, e.Cursed}, {"repeated", true, e.Repeated}, {"disputed", e.Disputed, e.Disputed != ""}} {
		if f.is {
			fields = append(fields, [2]any{f.name, f.value})
		}
	}
	fields = append(fields, [2]any{"moves", engine.FormatEach(b.pos, e.Moves)})
	return dictOf(fields, func(f [2]any) (key, value any) { return f[0], f[1] }), nil
}

func (b *board) material() *starlark.Dict {
	var counts [256]int
	for _, p := range b.kind.row.Pieces(b.pos) {
		counts[p.Letter]++
	}
	found := slices.DeleteFunc([]byte(b.kind.row.Letters), func(letter byte) bool { return counts[letter] == 0 })
	return dictOf(found, func(letter byte) (string, int) { return string(rune(letter)), counts[letter] })
}

func (b *board) attackers(name, point string) ([]string, error) {
	side, err := parseSide(b.pos.Game(), name)
	var found []string
	if err == nil {
		found, err = b.kind.row.Attackers(b.pos, side, point)
	}
	if err != nil {
		return nil, b.at(err)
	}
	return found, nil
}

func parseSide(g engine.Game, text string) (engine.Turn, error) {
	for _, side := range []engine.Turn{engine.First, engine.Second} {
		if engine.SideName(g, side) == text {
			return side, nil
		}
	}
	return 0, fmt.Errorf("side %s: want %q or %q", shorten(text), engine.SideName(g, engine.First), engine.SideName(g, engine.Second))
}

func (b *board) mirror() (*board, error) {
	pos, err := b.kind.row.Mirror(b.pos)
	if err != nil {
		return nil, b.at(err)
	}
	return b.kind.newBoard(pos), nil
}

// defaultStyle is the default style of text(). For games without it the game's own default is used.
const defaultStyle = "ascii"

func (b *board) text(style string, flip bool) (string, error) {
	styles := b.kind.row.Styles
	known := slices.Contains(styles, strings.ToLower(style))
	switch {
	case len(styles) == 0 && (flip || style != defaultStyle):
		return "", b.at(fmt.Errorf("style and flip do not apply to %s", engine.Title(b.pos.Game())))
	case !known && style != defaultStyle:
		return "", fmt.Errorf("style %s: want %s", shorten(style), strings.Join(styles, ", "))
	case !known:
		style = ""
	}
	text := b.kind.Draw(b.pos, games.TextOptions{Style: style, Flip: flip})
	return strings.TrimSuffix(text, "\n"), nil // print ends the line
}

func (b *board) svg(arrows, marks stringsArgument, letters, flip, chinese bool) (string, error) {
	svg, err := b.kind.SVG(b.pos, games.ImageOptions{Arrows: arrows, Marks: marks, Letters: letters, Flip: flip, Chinese: chinese})
	if err != nil {
		return "", b.at(err)
	}
	return svg, nil
}
