package script

import (
	"go.starlark.net/starlark"

	"qhsh/engine"
	"qhsh/engine/games"
)

// kinds returns the pieces that have several kinds.
func kinds(g *games.Row, b *board, c *call) (starlark.Value, error) {
	if err := c.unpack(); err != nil {
		return nil, err
	}
	all := g.Kinds(b.pos)
	dict := starlark.NewDict(len(all))
	for _, p := range all {
		piece, err := kindsOfPiece(b.pos.Game(), p)
		if err == nil {
			err = dict.SetKey(starlark.String(p.Point), piece)
		}
		if err != nil {
			return nil, err
		}
	}
	return dict, nil
}

func kindsOfPiece(g engine.Game, p games.PieceKinds) (*starlark.Dict, error) {
	var names []starlark.Value
	for _, name := range p.Kinds {
		names = append(names, nameOrNone(name))
	}
	odds := starlark.NewDict(len(p.Odds))
	for _, o := range p.Odds {
		if err := odds.SetKey(starlark.String(o.Kind), starlark.Float(o.Odds)); err != nil {
			return nil, err
		}
	}
	piece := starlark.NewDict(4)
	for _, field := range []struct {
		name  string
		value starlark.Value
	}{
		{"side", starlark.String(engine.SideName(g, p.Side))},
		{"kinds", starlark.NewList(names)},
		{"now", nameOrNone(p.Now)},
		{"odds", odds},
	} {
		if err := piece.SetKey(starlark.String(field.name), field.value); err != nil {
			return nil, err
		}
	}
	return piece, nil
}

// nameOrNone returns a name, or None if it is empty.
func nameOrNone(name string) starlark.Value {
	if name == "" {
		return starlark.None
	}
	return starlark.String(name)
}
