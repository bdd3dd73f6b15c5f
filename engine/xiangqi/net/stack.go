package net

import "qhsh/engine/xiangqi"

// A stack has the accumulators of the positions of a line, from the position of Reset to that on
// the board. They are computed when they are needed.
type stack struct {
	hidden       int
	frames       []frame
	accumulators []int16 // [frame][side][hidden]
}

// A frame is a position of a line, and the move that led to it.
type frame struct {
	piece, taken xiangqi.Piece
	move         xiangqi.Move
	mirror       [2]uint8 // 1 if the side sees the board mirrored
	valid        [2]bool  // the side's accumulator is computed
}

// stackSize is the number of positions that a stack holds before it grows: more than the longest
// line of a search.
const stackSize = 160

func newStack(hidden int) stack {
	return stack{hidden, make([]frame, 0, stackSize), make([]int16, stackSize*2*hidden)}
}

// reset makes the position on a board the first one.
func (s *stack) reset(b *xiangqi.Board) {
	first := frame{}
	first.look(b.King(xiangqi.Red), b.King(xiangqi.Black))
	s.frames = append(s.frames[:0], first)
}

// look sets how the sides see the board with their kings on these points.
func (f *frame) look(red, black xiangqi.Square) {
	f.mirror = [2]uint8{mirrorIndex(red, black), mirrorIndex(black, red)}
}

// push adds the position after a move that has not been made on the board yet.
func (s *stack) push(b *xiangqi.Board, m xiangqi.Move) {
	next := frame{piece: b.At(m.From()), taken: b.At(m.To()), move: m, mirror: s.frames[len(s.frames)-1].mirror}
	if next.piece.Kind() == xiangqi.King {
		kings := [2]xiangqi.Square{b.King(xiangqi.Red), b.King(xiangqi.Black)}
		kings[next.piece.Side()] = m.To()
		next.look(kings[xiangqi.Red], kings[xiangqi.Black])
	}
	s.frames = append(s.frames, next)
	if need := len(s.frames) * 2 * s.hidden; need > len(s.accumulators) {
		s.accumulators = append(s.accumulators, make([]int16, need)...)
	}
}

// pop removes the last position.
func (s *stack) pop() { s.frames = s.frames[:len(s.frames)-1] }

// accumulator returns the room for the accumulator of a position.
func (s *stack) accumulator(i int, side xiangqi.Side) []int16 {
	return s.accumulators[(2*i+int(side))*s.hidden:][:s.hidden]
}

// computed returns the last position whose accumulator is computed and leads to that of the last
// position by moves alone, or -1.
func (s *stack) computed(side xiangqi.Side) int {
	last := len(s.frames) - 1
	for i := last; i >= 0 && s.frames[i].mirror[side] == s.frames[last].mirror[side]; i-- {
		if s.frames[i].valid[side] {
			return i
		}
	}
	return -1
}

// advance computes the accumulator of a position from that of the one before.
func (s *stack) advance(i int, side xiangqi.Side, w *Weights) {
	f := &s.frames[i]
	v := &views[side][f.mirror[side]]
	from, to := f.move.From(), f.move.To()
	add, sub := [1]uint16{v[f.piece][to]}, [2]uint16{v[f.piece][from], v[f.taken][to]}
	changes := 1
	if f.taken != xiangqi.Empty {
		changes = 2
	}
	update(s.accumulator(i, side), s.accumulator(i-1, side), w.Feature, add[:], sub[:changes])
	f.valid[side] = true
}
