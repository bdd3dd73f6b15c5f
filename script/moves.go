package script

import (
	"errors"

	"go.starlark.net/starlark"

	"qhsh/engine"
)

// A move is a string in a script, in the notation of the game's positions. It is compared,
// sorted, printed and put into a dict or JSON as such.

// move returns a move as a value. Where its name does not depend on the position, there is one
// value for all, so that a list of moves costs its slots alone.
func (k *kind) move(pos engine.Position, m engine.Move) starlark.Value {
	if names := k.names(); m < engine.Move(len(names)) {
		return names[m]
	}
	return moveValue(pos.Format(m))
}

// moveValue returns a move's name as a value.
func moveValue(name string) starlark.Value { return starlark.String(name) }

// moveTuple returns moves' names as a value that does not change.
func moveTuple(names []string) starlark.Tuple {
	moves := make(starlark.Tuple, len(names))
	for i, name := range names {
		moves[i] = moveValue(name)
	}
	return moves
}

// moveList returns moves' names in a list of the script's own.
func moveList(names []string) *starlark.List { return starlark.NewList(moveTuple(names)) }

// playedMoves returns the moves that have led to a position, in a list of the script's own.
func (k *kind) playedMoves(pos engine.Position) *starlark.List {
	return starlark.NewList(k.moves(pos.History()))
}

// moves returns legal moves that follow each other, from a position on.
func (k *kind) moves(start engine.Position, moves []engine.Move) starlark.Tuple {
	names := k.names()
	if len(names) == 0 {
		return moveTuple(engine.FormatMoves(start, moves))
	}
	all := make(starlark.Tuple, len(moves))
	for i, m := range moves {
		all[i] = names[m]
	}
	return all
}

// legalMoves returns a position's moves in a list of the script's own.
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
			moves[i] = moveValue(pos.Format(m))
		}
	}
	*room = legal
	k.moveBuffers.Put(room)
	return starlark.NewList(moves)
}

// errNoMoves is the error of taking back what was not played.
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

// notation reads the name of a notation; a game that has but one has no names for it.
func (k *kind) notation(name string) (string, error) {
	if name == "" {
		return "", nil
	}
	return k.NotationOf(k.game, name)
}
