package script

import (
	"errors"

	"go.starlark.net/starlark"

	"qhsh/engine"
)

// In a script a move is a string in the notation of the game's positions.

// move returns a move as a value. If its text does not depend on the position, the value is shared,
// so that a list of moves is cheap.
func (k *kind) move(pos engine.Position, m engine.Move) starlark.Value {
	if names := k.names(); m < engine.Move(len(names)) {
		return names[m]
	}
	return starlark.String(pos.Format(m))
}

// moveTuple returns the texts of moves as a tuple.
func moveTuple(names []string) starlark.Tuple { return tupleOf(names, stringValue) }

// moves returns consecutive legal moves from a position.
func (k *kind) moves(start engine.Position, moves []engine.Move) starlark.Tuple {
	names := k.names()
	if len(names) == 0 {
		return moveTuple(engine.FormatMoves(start, moves))
	}
	return tupleOf(moves, func(m engine.Move) starlark.Value { return names[m] })
}

// legalMoves returns a position's moves as a new list.
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

// errNoMoves is the error of taking back a move at the start.
var errNoMoves = errors.New("no move has been played on this board")

// takeBack returns the position before the last move, and that move.
func (k *kind) takeBack(pos engine.Position) (engine.Position, starlark.Value, error) {
	before, last, err := engine.TakeBack(pos)
	switch {
	case err != nil:
		return nil, nil, err
	case last == engine.NoMove:
		return nil, nil, errNoMoves
	}
	return before, k.move(before, last), nil
}

// notation parses the name of a notation. A game with a single notation has no names.
func (k *kind) notation(name string) (string, error) {
	if name == "" {
		return "", nil
	}
	return k.NotationOf(k.game, name)
}
