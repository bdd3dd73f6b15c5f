package engine

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
)

// A Branch is a root move of a perft and the number of leaf nodes below it.
type Branch struct {
	Move  Move
	Nodes int64
}

// Divide returns for each legal move of a position, in order, the number of leaf nodes below it. The
// depth includes the move itself. perft counts those below a position; once stop is set its result is
// meaningless. Up to jobs goroutines call it. The error is that of a depth below 1, or wraps the
// context's cause.
func Divide(ctx context.Context, p Position, depth, jobs int, perft func(p Position, depth int, stop *atomic.Bool) int64) ([]Branch, error) {
	if depth < 1 {
		return nil, fmt.Errorf("perft depth %d: want 1 or more", depth)
	}
	moves := p.Moves()
	branches := make([]Branch, len(moves))
	var stop atomic.Bool
	defer context.AfterFunc(ctx, func() { stop.Store(true) })()
	var workers sync.WaitGroup
	var taken atomic.Int64
	for range min(max(jobs, 1), len(moves)) {
		workers.Go(func() {
			for i := taken.Add(1) - 1; i < int64(len(moves)) && !stop.Load(); i = taken.Add(1) - 1 {
				branches[i].Move = moves[i]
				if next, err := p.Play(moves[i]); err == nil {
					branches[i].Nodes = perft(next, depth-1, &stop)
				}
			}
		})
	}
	workers.Wait()
	if ctx.Err() != nil {
		return nil, fmt.Errorf("perft: %w", context.Cause(ctx))
	}
	return branches, nil
}
