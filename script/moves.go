package script

import (
	"errors"
	"fmt"
	"sync"

	"go.starlark.net/starlark"

	"qhsh/engine"
	"qhsh/engine/xiangqi"
	"qhsh/engine/xiangqi/notation"
)

// A move is a string in a script, in the game's notation: in Xiangqi "H2-E2". It is
// compared, sorted, printed and put into a dict or JSON as such.

// points is the number of points of a Xiangqi board.
const points = 90

// moveTable has the values of all moves from a point to a point of a Xiangqi board, so
// that a list of moves costs its slots alone.
var moveTable = sync.OnceValue(func() *[points * points]starlark.Value {
	var table [points * points]starlark.Value
	for from := range xiangqi.Square(points) {
		for to := range xiangqi.Square(points) {
			table[int(from)*points+int(to)] = starlark.String(xiangqi.NewMove(from, to).ICCS())
		}
	}
	return &table
})

// xiangqiMove is a Xiangqi move as a value.
func xiangqiMove(m xiangqi.Move) starlark.Value {
	return moveTable()[int(m.From())*points+int(m.To())]
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
func playedMoves(pos engine.Position) *starlark.List {
	start, moves := pos.History()
	if _, ok := pos.(*xiangqi.Position); !ok {
		return moveList(engine.Names(start, moves))
	}
	played := make([]starlark.Value, len(moves))
	for i, m := range moves {
		played[i] = xiangqiMove(xiangqi.Move(m))
	}
	return starlark.NewList(played)
}

// legalMoves are a position's moves in a list of the script's own.
func legalMoves(pos engine.Position) *starlark.List {
	if p, ok := pos.(*xiangqi.Position); ok {
		table := moveTable()
		var room [xiangqi.MaxMoves]xiangqi.Move
		legal := p.AppendMoves(room[:0])
		moves := make([]starlark.Value, len(legal))
		for i, m := range legal {
			moves[i] = table[int(m.From())*points+int(m.To())]
		}
		return starlark.NewList(moves)
	}
	legal := pos.Moves()
	moves := make([]starlark.Value, len(legal))
	for i, m := range legal {
		moves[i] = moveValue(pos.Format(m))
	}
	return starlark.NewList(moves)
}

// play is the position after a move, which may be written in any way that the position
// understands.
func play(pos engine.Position, text string) (engine.Position, error) {
	if p, ok := pos.(*xiangqi.Position); ok {
		m, ok := notation.Points(text)
		if !ok {
			var err error
			if m, err = notation.Read(p, text); err != nil {
				return nil, err
			}
		}
		next, err := p.PlayMove(m) // looks only once whether the move is legal
		if err != nil {
			return nil, err
		}
		return next, nil
	}
	m, err := pos.Parse(text)
	if err != nil {
		return nil, err
	}
	return pos.Play(m)
}

// parseMove reads a legal move: of Xiangqi in any notation, else in the game's own.
func parseMove(pos engine.Position, text string) (engine.Move, error) {
	p, ok := pos.(*xiangqi.Position)
	if !ok {
		return pos.Parse(text)
	}
	m, err := notation.Read(p, text)
	return engine.Move(m), err
}

// errNoMoves is the error of taking back what was not played.
var errNoMoves = errors.New("no move has been played on this board")

// takeBack is the position before the last move, and that move.
func takeBack(pos engine.Position) (engine.Position, starlark.Value, error) {
	if p, ok := pos.(*xiangqi.Position); ok {
		m, ok := p.LastMove()
		if !ok {
			return nil, nil, errNoMoves
		}
		return p.Before(), xiangqiMove(m), nil
	}
	before, moves := pos.History()
	if len(moves) == 0 {
		return nil, nil, errNoMoves
	}
	last := len(moves) - 1
	for _, m := range moves[:last] {
		next, err := before.Play(m)
		if err != nil {
			return nil, nil, fmt.Errorf("the moves so far cannot be played again: %w", err)
		}
		before = next
	}
	return before, moveValue(before.Format(moves[last])), nil
}
