package script

import (
	"errors"

	"go.starlark.net/starlark"

	"qhsh/engine"
)

// A move is a string in a script, in the notation of the game's positions. It is compared,
// sorted, printed and put into a dict or JSON as such.

// move is a move as a value. Where the position does not matter to its name, the value is
// kept, so that a list of moves costs its slots alone.
func (k *kind) move(pos engine.Position, m engine.Move) starlark.Value {
	if m >= engine.Move(len(k.names)) {
		return moveValue(pos.Format(m))
	}
	if kept := k.names[m].Load(); kept != nil {
		return *kept
	}
	v := moveValue(pos.Format(m))
	k.names[m].Store(&v)
	return v
}

// moveValue is a move's name as a value.
func moveValue(name string) starlark.Value { return starlark.String(name) }

// moveTuple are moves' names as a value that does not change.
func moveTuple(names []string) starlark.Tuple {
	moves := make(starlark.Tuple, len(names))
	for i, name := range names {
		moves[i] = moveValue(name)
	}
	return moves
}

// moveList are moves' names in a list of the script's own.
func moveList(names []string) *starlark.List { return starlark.NewList(moveTuple(names)) }

// playedMoves are the moves that have led to a position, in a list of the script's own.
func (k *kind) playedMoves(pos engine.Position) *starlark.List {
	start, moves := pos.History()
	if len(k.names) == 0 {
		return moveList(engine.Names(start, moves))
	}
	return k.moveList(start, moves)
}

// legalMoves are a position's moves in a list of the script's own.
func (k *kind) legalMoves(pos engine.Position) *starlark.List { return k.moveList(pos, pos.Moves()) }

// moveList are moves in a list of the script's own, written at one position.
func (k *kind) moveList(pos engine.Position, moves []engine.Move) *starlark.List {
	values := make([]starlark.Value, len(moves))
	for i, m := range moves {
		values[i] = k.move(pos, m)
	}
	return starlark.NewList(values)
}

// play is the position after a move, in any notation of the game.
func (k *kind) play(pos engine.Position, text string) (engine.Position, error) {
	m, err := k.ReadMove(pos, text)
	if err != nil {
		return nil, err
	}
	return pos.Play(m)
}

// errNoMoves is the error of taking back what was not played.
var errNoMoves = errors.New("no move has been played on this board")

// takeBack is the position before the last move, and that move.
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
