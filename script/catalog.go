package script

import (
	"sync/atomic"

	"go.starlark.net/starlark"

	"qhsh/engine"
	"qhsh/engine/games"
)

// A catalog is the table of games as values see it. It is safe for concurrent use.
type catalog struct {
	games.Table
	kinds map[string]*kind // by the games' names
}

func newCatalog(t games.Table) *catalog {
	c := &catalog{t, map[string]*kind{}}
	for _, name := range t.Names() {
		game, err := t.New(name, nil)
		if err == nil { // a test of the table makes them all
			c.kinds[name] = c.newKind(game)
		}
	}
	return c
}

// A kind is what all boards of a game share, whatever its options are.
type kind struct {
	*catalog
	game  engine.Game
	names []atomic.Pointer[starlark.Value] // of the moves up to smallMoves; empty if they are not kept
}

// smallMoves is the number of moves whose names are kept, a pointer each.
const smallMoves = 1 << 14

func (c *catalog) newKind(g engine.Game) *kind {
	k := &kind{catalog: c, game: g}
	if _, steady := games.Ability[games.SteadyNamer](c.Table, g); steady {
		k.names = make([]atomic.Pointer[starlark.Value], smallMoves)
	}
	return k
}

// kind is that of a game, which need not be in the table.
func (c *catalog) kind(g engine.Game) *kind {
	if k := c.kinds[g.Name()]; k != nil {
		return k
	}
	return c.newKind(g)
}

// newBoard is a board with a position and its history.
func (c *catalog) newBoard(pos engine.Position) *board {
	return c.kind(pos.Game()).newBoard(pos)
}

// newBoard is the same where the kind is known.
func (k *kind) newBoard(pos engine.Position) *board { return &board{pos: pos, kind: k} }
