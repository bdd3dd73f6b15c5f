package net

import (
	"qhsh/engine/xiangqi"
	"qhsh/engine/xiangqi/eval"
)

// An Evaluator is the eval.Evaluator of a network. A move only notes what it changes; Evaluate
// brings the accumulators up to date, so positions that are never evaluated cost next to nothing.
type Evaluator struct {
	weights *Weights
	board   *xiangqi.Board
	stack   stack
	cache   refreshCache
}

var _ eval.Evaluator = (*Evaluator)(nil)

// NewEvaluator returns an Evaluator of valid weights; call Reset before use.
func NewEvaluator(w *Weights) *Evaluator {
	return &Evaluator{weights: w, stack: newStack(w.Hidden), cache: newRefreshCache(w)}
}

// Reset starts at the position on a board.
func (e *Evaluator) Reset(b *xiangqi.Board) {
	e.board = b
	e.stack.reset(b)
}

// Make notes what a move changes.
func (e *Evaluator) Make(m xiangqi.Move) { e.stack.push(e.board, m) }

// Unmake undoes the last Make.
func (e *Evaluator) Unmake() { e.stack.pop() }

// Evaluate returns the output of the network, as far as the leading side's material can convert it
// into a win.
func (e *Evaluator) Evaluate() int {
	b, side, bucket := e.board, e.board.Side(), Bucket(e.board)
	own, other := e.accumulator(side), e.accumulator(side.Other())
	weights, hidden := e.weights.output(bucket), e.weights.Hidden
	v := e.weights.centipawns(bucket, activate(own, weights[:hidden])+activate(other, weights[hidden:]))
	leader := side
	if v < 0 {
		leader = side.Other()
	}
	return v * eval.WinScale(b, leader) / eval.MaxWinScale
}

// accumulator returns the accumulator of a side for the position on the board: from the nearest
// position before it that has one, or from the cache if the side's view has changed since.
func (e *Evaluator) accumulator(side xiangqi.Side) []int16 {
	s := &e.stack
	last := len(s.frames) - 1
	if from := s.computed(side); from >= 0 {
		for i := from; i < last; i++ {
			s.advance(i+1, side, e.weights)
		}
		return s.accumulator(last, side)
	}
	top := &s.frames[last]
	e.cache.refresh(s.accumulator(last, side), e.weights, e.board, side, top.mirror[side])
	top.valid[side] = true
	return s.accumulator(last, side)
}
