package checkers

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
)

// Perft is the number of sequences of depth legal moves. A game that is over has none.
func Perft(b *Board, depth int) int64 {
	return new(perft).count(b, depth, new(atomic.Bool))
}

// perft has room for the moves of every ply.
type perft struct{ plies [][]Move }

// count counts until it is stopped, after which its count means nothing.
func (p *perft) count(b *Board, depth int, stop *atomic.Bool) int64 {
	const look = 5 // plies above the leaves, some milliseconds, to look for a stop at
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

// A Branch is a move and how many of the sequences that Perft counts begin with it.
type Branch struct {
	Move  Move
	Nodes int64
}

// Divide is Perft for each legal move of a position, in their usual order. The moves are
// shared out among as many goroutines as jobs says, at least one. The depth includes the move
// itself and is at least 1. The error is that of a wrong depth, or wraps the cause of the
// context's end.
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
