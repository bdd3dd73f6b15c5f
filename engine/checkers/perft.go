package checkers

import (
	"sync/atomic"

	"qhsh/engine"
)

// Perft returns the number of sequences of depth legal moves. A finished game has none.
func Perft(b *Board, depth int) int64 {
	return new(perft).count(b, depth, new(atomic.Bool))
}

// A perft has buffers for the moves of each ply.
type perft struct{ plies [][]Move }

// count counts until stop is set; its result is then invalid.
func (p *perft) count(b *Board, depth int, stop *atomic.Bool) int64 {
	const look = 5 // check stop this many plies above the leaves, every few milliseconds
	switch {
	case depth <= 0:
		return 1
	case depth >= look && stop.Load():
		return 0
	}
	for len(p.plies) < depth {
		p.plies = append(p.plies, make([]Move, 0, 64))
	}
	moves := b.AppendMoves(p.plies[depth-1][:0])
	if depth == 1 {
		return int64(len(moves))
	}
	var nodes int64
	for _, m := range moves {
		next := *b
		next.Do(m)
		nodes += p.count(&next, depth-1, stop)
	}
	return nodes
}

// PerftUntil returns Perft of a [Position], for [engine.Divide]. Once stop is set its result is
// meaningless.
func PerftUntil(p engine.Position, depth int, stop *atomic.Bool) int64 {
	return new(perft).count(&p.(*Position).board, depth, stop)
}
