package script

import (
	"sync"

	"go.starlark.net/starlark"

	"qhsh/engine"
	"qhsh/engine/games"
)

// A catalog is the table of games with a kind for each. It is safe for concurrent use.
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

// A kind is what all boards of a game share, whatever its options.
type kind struct {
	*catalog
	game        engine.Game
	row         *games.Row                                                      // of the game
	play        func(pos engine.Position, move string) (engine.Position, error) // plays a legal move in any notation
	names       func() []starlark.Value                                         // of all moves, indexed by move; none if they depend on the position
	moveBuffers sync.Pool                                                       // of *[]engine.Move
}

func (c *catalog) newKind(g engine.Game) *kind {
	row := c.Row(g)
	return &kind{catalog: c, game: g, row: row, play: c.MovePlayer(g), names: sync.OnceValue(func() []starlark.Value {
		if row.FixedMoveNames != nil {
			return toValue(row.FixedMoveNames()).(starlark.Tuple)
		}
		return nil
	})}
}

// kind returns the kind of a game, which need not be in the table.
func (c *catalog) kind(g engine.Game) *kind {
	if k := c.kinds[g.Name()]; k != nil {
		return k
	}
	return c.newKind(g)
}

func (c *catalog) newBoard(pos engine.Position) *board {
	return c.kind(pos.Game()).newBoard(pos)
}

func (k *kind) newBoard(pos engine.Position) *board { return &board{pos: pos, kind: k} }
