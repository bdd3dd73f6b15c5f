package eval

import "qhsh/engine/xiangqi"

// An Evaluator says what the positions of a search are worth, and follows its moves so
// that it need not look at each position again. A neural network would keep its first
// layer that way.
//
// Reset comes first. Then every Make is undone by an Unmake, the last one first. Null
// moves are not told: they change nothing but the side to move. An Evaluator is used by
// one goroutine at a time; a search with several threads has one for each.
type Evaluator interface {
	// Reset begins at the position on a board. The Evaluator may keep the board and read
	// it, but not change it.
	Reset(b *xiangqi.Board)
	// Make follows a legal move that is not a null move. It is called before the move is
	// made on the board.
	Make(m xiangqi.Move)
	// Unmake takes the last Make back. The board may already have taken the move back, or
	// not yet.
	Unmake()
	// Evaluate returns what the position on the board is worth to the side to move, in
	// centipawns; what is beyond Limit counts as Limit. It is called when every Make has
	// been followed by its move on the board. It must depend on the position alone,
	// its history included where Reset and Make have told it.
	Evaluate() int
}

// Tapered is the evaluation of this package as an Evaluator.
type Tapered struct {
	board *xiangqi.Board
	acc   Accumulator
	stack []Accumulator // before each move made, the latest last
}

var _ Evaluator = (*Tapered)(nil)

// NewTapered makes one. It needs a Reset.
func NewTapered() *Tapered {
	const room = 256 // moves before past has to grow
	return &Tapered{stack: make([]Accumulator, 0, room)}
}

// Reset begins at the position on a board.
func (t *Tapered) Reset(b *xiangqi.Board) { t.board, t.acc, t.stack = b, New(b), t.stack[:0] }

// Make follows a move that the board is about to make.
func (t *Tapered) Make(m xiangqi.Move) {
	t.stack = append(t.stack, t.acc)
	t.acc = t.acc.After(t.board, m)
}

// Unmake takes the last Make back.
func (t *Tapered) Unmake() {
	last := len(t.stack) - 1
	t.acc, t.stack = t.stack[last], t.stack[:last]
}

// Evaluate returns Score.
func (t *Tapered) Evaluate() int { return Score(t.board, t.acc) }
