package checkers

import (
	"sync/atomic"

	"qhsh/engine"
)

// PerftUntil returns the number of sequences of depth legal moves, for [engine.Divide]. A finished game has
// none. Once stop is set its result is meaningless.
func PerftUntil(p engine.Position, depth int, stop *atomic.Bool) int64 {
	return perft(&p.(*Position).board, make([]Move, 0, 64*max(depth, 0)), depth, stop)
}

// perft has room for moves behind those of the plies before.
func perft(b *Board, room []Move, depth int, stop *atomic.Bool) int64 {
	const look = 5 // check stop this many plies above the leaves, every few milliseconds
	switch {
	case depth <= 0:
		return 1
	case depth >= look && stop.Load():
		return 0
	}
	moves := b.AppendMoves(room)
	if depth == 1 {
		return int64(len(moves))
	}
	var nodes int64
	for _, m := range moves {
		next := *b
		next.Do(m)
		nodes += perft(&next, moves[len(moves):], depth-1, stop)
	}
	return nodes
}
