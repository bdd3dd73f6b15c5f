package xiangqi

import (
	"sync/atomic"

	"qhsh/engine"
)

// PerftUntil returns the number of leaf nodes at a depth below a [Position], the standard test and benchmark
// of a move generator, for [engine.Divide]. The last ply is counted without making its moves. Once stop is
// set the result is meaningless.
func PerftUntil(p engine.Position, depth int, stop *atomic.Bool) int64 {
	return perft(p.(*Position).Board(), depth, stop)
}

func perft(b *Board, depth int, stop *atomic.Bool) (nodes int64) {
	const look = 3 // plies above the leaves, less than a millisecond, to look for a stop at
	switch {
	case depth <= 0:
		return 1
	case depth == 1:
		return int64(b.countMoves())
	case depth >= look && stop.Load():
		return 0
	}
	var room [MaxMoves]Move
	for _, m := range b.AppendMoves(room[:0]) {
		b.Do(m)
		nodes += perft(b, depth-1, stop)
		b.Undo()
	}
	return nodes
}
