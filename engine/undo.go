package engine

import "fmt"

// An Undoer is a Position that stores its predecessor.
type Undoer interface {
	// Undo returns the position before the last move, and that move; nil and NoMove at the start.
	Undo() (before Position, last Move)
}

// TakeBack returns the position before the last move, and that move; nil and NoMove at the start.
// If p is not an [Undoer], its history is replayed; the error is that of an illegal move in it.
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
