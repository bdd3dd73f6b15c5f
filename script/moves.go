package script

import (
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
