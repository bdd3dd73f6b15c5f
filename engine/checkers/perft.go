package checkers

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
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

// A Branch is a move and the number of Perft's sequences that begin with it.
type Branch struct {
	Move  Move
	Nodes int64
}

// Divide returns the perft of each legal move of a position. depth includes the move itself and
// must be at least 1. jobs is the number of goroutines. If ctx ends, the error wraps its cause.
func Divide(ctx context.Context, p *Position, depth, jobs int) ([]Branch, error) {
	if depth < 1 {
		return nil, fmt.Errorf("perft depth %d: want 1 or more", depth)
	}
	board := p.Board()
	moves := board.AppendMoves(nil)
	branches := make([]Branch, len(moves))
	var stop atomic.Bool
	defer context.AfterFunc(ctx, func() { stop.Store(true) })()
	var workers sync.WaitGroup
	var next atomic.Int64
	for range min(max(jobs, 1), len(branches)) {
		workers.Go(func() {
			for i := next.Add(1) - 1; i < int64(len(moves)) && !stop.Load(); i = next.Add(1) - 1 {
				after := board
				after.Do(moves[i])
				branches[i] = Branch{moves[i], new(perft).count(&after, depth-1, &stop)}
			}
		})
	}
	workers.Wait()
	if ctx.Err() != nil {
		return nil, fmt.Errorf("perft: %w", context.Cause(ctx))
	}
	return branches, nil
}
