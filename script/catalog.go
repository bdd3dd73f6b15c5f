package script

import (
	"fmt"
	"strconv"
	"strings"
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

// In a script a move is a string in the notation of the game's positions.

// move returns a move as a value. If its text does not depend on the position, the value is shared,
// so that a list of moves is cheap.
func (k *kind) move(pos engine.Position, m engine.Move) starlark.Value {
	if names := k.names(); m < engine.Move(len(names)) {
		return names[m]
	}
	return starlark.String(pos.Format(m))
}

// moves returns consecutive legal moves from a position.
func (k *kind) moves(start engine.Position, moves []engine.Move) starlark.Tuple {
	names := k.names()
	if len(names) == 0 {
		return toValue(engine.FormatMoves(start, moves)).(starlark.Tuple)
	}
	all := make(starlark.Tuple, len(moves))
	for i, m := range moves {
		all[i] = names[m]
	}
	return all
}

func (k *kind) legalMoves(pos engine.Position) *starlark.List {
	names := k.names()
	room, ok := k.moveBuffers.Get().(*[]engine.Move)
	if !ok {
		room = new([]engine.Move)
	}
	legal := engine.AppendMoves((*room)[:0], pos)
	moves := make([]starlark.Value, len(legal))
	for i, m := range legal {
		if m < engine.Move(len(names)) {
			moves[i] = names[m]
		} else {
			moves[i] = starlark.String(pos.Format(m))
		}
	}
	*room = legal
	k.moveBuffers.Put(room)
	return starlark.NewList(moves)
}

// notation parses the name of a notation. A game with a single notation has no names.
func (k *kind) notation(name string) (string, error) {
	if name == "" {
		return "", nil
	}
	return k.NotationOf(k.game, name)
}

// gameParameters returns the parameters of a function that takes a game: its name and the options
// of all games.
func gameParameters(t games.Table) string {
	params := fmt.Sprintf(`game: str = %q`, t.DefaultGame().Name())
	for _, o := range t.GameOptions() {
		kind := "int"
		if o.Words != nil {
			kind = "str"
		}
		params += fmt.Sprintf(", %s: %s | None = None", o.Name, kind)
	}
	return params
}

// A gameArgument is the arguments for these parameters.
type gameArgument struct {
	name    string
	options games.Values // those that are given
}

// appendPairs appends the parameters in the form of starlark.UnpackArgs.
func (g *gameArgument) appendPairs(pairs []any, params []param) []any {
	g.options = games.Values{}
	for i, p := range params {
		if i == 0 {
			_ = starlark.UnpackArg(p.defaultValue(), &g.name) // it is a string
			pairs = append(pairs, p.pattern(), &g.name)
		} else {
			pairs = append(pairs, p.pattern(), &optionArgument{p, g.options})
		}
	}
	return pairs
}

// An optionArgument is the argument for an option of a game.
type optionArgument struct {
	param
	options games.Values
}

// Unpack takes a number, or a string where the option's values are words.
func (o *optionArgument) Unpack(value starlark.Value) error {
	if strings.HasPrefix(o.typ, "str") {
		var text string
		err := starlark.UnpackArg(value, &text)
		o.options[o.name] = text
		return err
	}
	var n int
	err := starlark.UnpackArg(value, &n)
	o.options[o.name] = strconv.Itoa(n)
	return err
}
