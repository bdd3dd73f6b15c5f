package quoridor

import (
	"context"
	"fmt"
	"math/bits"
	"sync"
	"sync/atomic"
)

// Perft returns the number of leaf nodes at a depth. A finished game has none.
func Perft(b *Board, depth int) int64 { return perft(b, depth, new(atomic.Bool)) }

// perft counts until it is stopped; then its result is meaningless.
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

// A Branch is a root move and the number of leaf nodes below it.
type Branch struct {
	Action Action
	Nodes  int64
}

// Divide returns Perft for each legal move of a position, in order, using up to jobs goroutines.
// The depth includes the move itself and is at least 1. The error is that of a wrong depth, or
// wraps the context's cause.
func Divide(ctx context.Context, p *Position, depth, jobs int) ([]Branch, error) {
	if depth < 1 {
		return nil, fmt.Errorf("perft depth %d: want 1 or more", depth)
	}
	board := p.Board()
	actions := board.AppendMoves(nil)
	branches := make([]Branch, len(actions))
	var stop atomic.Bool
	defer context.AfterFunc(ctx, func() { stop.Store(true) })()
	var workers sync.WaitGroup
	var next atomic.Int64
	for range min(max(jobs, 1), len(branches)) {
		workers.Go(func() {
			for i := next.Add(1) - 1; i < int64(len(actions)) && !stop.Load(); i = next.Add(1) - 1 {
				after := board
				after.Do(actions[i])
				branches[i] = Branch{actions[i], perft(&after, depth-1, &stop)}
			}
		})
	}
	workers.Wait()
	if ctx.Err() != nil {
		return nil, fmt.Errorf("perft: %w", context.Cause(ctx))
	}
	return branches, nil
}
