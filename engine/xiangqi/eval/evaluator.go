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

// Tapered is the Evaluator that returns Score.
type Tapered struct {
	board *xiangqi.Board
	acc   Accumulator
	stack []Accumulator // before each move, the latest last
}

var _ Evaluator = (*Tapered)(nil)

// NewTapered returns a Tapered; call Reset before use.
func NewTapered() *Tapered {
	const room = 256 // moves before stack must grow
	return &Tapered{stack: make([]Accumulator, 0, room)}
}

// Reset starts at the position on a board.
func (t *Tapered) Reset(b *xiangqi.Board) { t.board, t.acc, t.stack = b, New(b), t.stack[:0] }

// Make updates the Accumulator with a move.
func (t *Tapered) Make(m xiangqi.Move) {
	t.stack = append(t.stack, t.acc)
	t.acc = t.acc.After(t.board, m)
}

// Unmake undoes the last Make.
func (t *Tapered) Unmake() {
	last := len(t.stack) - 1
	t.acc, t.stack = t.stack[last], t.stack[:last]
}

// Evaluate returns Score.
func (t *Tapered) Evaluate() int { return Score(t.board, t.acc) }
