package eval

import "qhsh/engine/xiangqi"

// An Evaluator evaluates the positions of a search and is updated incrementally with its moves,
// like the first layer of an efficiently updatable neural network.
//
// Reset must be called first. Each Make is undone by an Unmake, in reverse order. Null moves are
// not reported: they change only the side to move. An Evaluator is used by one goroutine at a time;
// each search thread has its own.
type Evaluator interface {
	// Reset starts at the position on a board. The Evaluator may keep and read the board,
	// but not change it.
	Reset(b *xiangqi.Board)
	// Make reports a legal move other than a null move. It is called before the move is
	// made on the board.
	Make(m xiangqi.Move)
	// Unmake undoes the last Make. It is called before or after the move is undone on
	// the board.
	Unmake()
	// Evaluate returns the value of the position on the board for the side to move, in
	// centipawns, which the search clamps to Limit. Every move reported by Make has been
	// made on the board, and the side to move is not in check. The value must depend only
	// on the position and on the history known from Reset and Make.
	Evaluate() int
}
