package engine

import "fmt"

// An Undoer is a Position that keeps the one before it.
type Undoer interface {
	// Undo returns the position in which the last move was played, and that move; nil and
	// NoMove where none has been played.
	Undo() (before Position, last Move)
}

// TakeBack returns the position in which the last move was played, and that move; nil and
// NoMove where none has been played. Where a Position is no [Undoer], its history is played
// again, and the error is that of a move of it.
func TakeBack(p Position) (before Position, last Move, err error) {
	if u, ok := p.(Undoer); ok {
		before, last = u.Undo()
		return before, last, nil
	}
	start, moves := p.History()
	if len(moves) == 0 {
		return nil, NoMove, nil
	}
	before = start
	for _, m := range moves[:len(moves)-1] {
		if before, err = before.Play(m); err != nil {
			return nil, NoMove, fmt.Errorf("the moves so far cannot be played again: %w", err)
		}
	}
	return before, moves[len(moves)-1], nil
}
