package eval

import "qhsh/engine/xiangqi"

// Mean is the Evaluator that returns the mean of two others. Where their errors differ, it is more
// accurate than either.
type Mean struct{ First, Second Evaluator }

var _ Evaluator = Mean{}

// Reset starts at the position on a board.
func (m Mean) Reset(b *xiangqi.Board) {
	m.First.Reset(b)
	m.Second.Reset(b)
}

// Make reports a move to both.
func (m Mean) Make(move xiangqi.Move) {
	m.First.Make(move)
	m.Second.Make(move)
}

// Unmake undoes the last Make.
func (m Mean) Unmake() {
	m.First.Unmake()
	m.Second.Unmake()
}

// Evaluate returns the mean, rounded towards 0.
func (m Mean) Evaluate() int { return (m.First.Evaluate() + m.Second.Evaluate()) / 2 }
