package xiangqi

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
)

// Perft returns the number of leaf nodes at a depth, the standard test and benchmark of a move
// generator. The last ply is counted without making its moves.
func Perft(b *Board, depth int) int64 {
	return perft(b, depth, new(atomic.Bool))
}

// perft counts until it is stopped; then its result is meaningless.
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

// A Branch is a root move and the number of leaf nodes below it.
type Branch struct {
	Move  Move
	Nodes int64
}

// Divide returns Perft for each legal move of a position, in order, using up to jobs goroutines.
// The depth includes the move itself and is at least 1. The error is that of a wrong depth, or
// wraps the context's cause.
func Divide(ctx context.Context, p *Position, depth, jobs int) ([]Branch, error) {
	if depth < 1 {
		return nil, fmt.Errorf("perft depth %d: want 1 or more", depth)
	}
	branches := make([]Branch, 0, MaxMoves)
	for _, m := range p.LegalMoves() {
		branches = append(branches, Branch{Move: m})
	}
	var stop atomic.Bool
	defer context.AfterFunc(ctx, func() { stop.Store(true) })()
	var workers sync.WaitGroup
	var next atomic.Int64
	for range min(max(jobs, 1), len(branches)) {
		workers.Go(func() { divide(p.Board(), depth, branches, &next, &stop) })
	}
	workers.Wait()
	if ctx.Err() != nil {
		return nil, fmt.Errorf("perft: %w", context.Cause(ctx))
	}
	return branches, nil
}

// divide counts the branches that are still to be taken.
func divide(b *Board, depth int, branches []Branch, next *atomic.Int64, stop *atomic.Bool) {
	for !stop.Load() {
		i := int(next.Add(1)) - 1
		if i >= len(branches) {
			return
		}
		b.Do(branches[i].Move)
		branches[i].Nodes = perft(b, depth-1, stop)
		b.Undo()
	}
}
