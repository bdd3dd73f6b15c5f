package quoridor

import (
	"math/bits"
	"sync/atomic"

	"qhsh/engine"
)

// PerftUntil returns the number of leaf nodes at a depth, for [engine.Divide]. A finished game has none.
// Once stop is set its result is meaningless.
func PerftUntil(p engine.Position, depth int, stop *atomic.Bool) int64 {
	return perft(&p.(*Position).board, depth, stop)
}

func perft(b *Board, depth int, stop *atomic.Bool) int64 {
	const look = 2 // plies above the leaves, some milliseconds, to look for a stop at
	switch {
	case depth <= 0:
		return 1
	case depth == 1:
		return int64(b.countMoves())
	case depth >= look && stop.Load():
		return 0
	}
	var nodes int64
	for _, a := range b.AppendMoves(nil) {
		next := *b
		next.Do(a)
		nodes += perft(&next, depth-1, stop)
	}
	return nodes
}

// countMoves returns the number of moves that AppendMoves appends.
func (b *Board) countMoves() int {
	if _, over := b.Winner(); over {
		return 0
	}
	var room [maxSteps]Cell
	n := len(b.appendSteps(room[:0], b.turn))
	if b.left[b.turn] > 0 {
		horizontal, vertical := b.legalWalls(nil)
		for r := range b.size - 1 {
			n += bits.OnesCount32(horizontal[r]) + bits.OnesCount32(vertical[r])
		}
	}
	return n
}
