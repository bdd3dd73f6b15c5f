package enginetest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"time"

	"qhsh/engine"
)

// A Ranker is a Searcher for tests. It ranks the moves of any position by a rule that depends only
// on the position, the move and Limits.Nodes, so its k best moves are the first of its k+1 best. It
// searches Depth iterations; each ranks the moves again and takes Pace.
type Ranker struct {
	Depth int           // 0: one
	Pace  time.Duration // 0: no time
}

// Search yields a list after every iteration.
func (r Ranker) Search(ctx context.Context, pos engine.Position, lim engine.Limits) iter.Seq2[[]engine.Line, error] {
	return func(yield func([]engine.Line, error) bool) {
		var end <-chan time.Time
		if lim.Time > 0 {
			end = time.After(lim.Time)
		}
		if len(r.rank(pos, lim, 1)) == 0 {
			yield(nil, fmt.Errorf("ranker: %w", engine.ErrNoMove))
			return
		}
		for depth := 1; depth <= max(r.Depth, 1); depth++ {
			now, err := r.pause(ctx, end)
			if err != nil {
				yield(nil, err)
				return
			}
			if now && depth > 1 {
				return
			}
			if !yield(r.rank(pos, lim, depth), nil) || now {
				return
			}
		}
	}
}

// pause waits for the duration of an iteration.
func (r Ranker) pause(ctx context.Context, end <-chan time.Time) (now bool, err error) {
	var pace <-chan time.Time
	if r.Pace > 0 {
		pace = time.After(r.Pace)
	} else {
		closed := make(chan time.Time)
		close(closed)
		pace = closed
	}
	select {
	case <-ctx.Done():
		if cause := context.Cause(ctx); !errors.Is(cause, engine.ErrMoveNow) {
			return false, fmt.Errorf("ranker: %w", cause)
		}
		return true, nil
	case <-end:
		return true, nil
	case <-pace:
		return false, nil
	}
}

func (r Ranker) rank(pos engine.Position, lim engine.Limits, depth int) []engine.Line {
	var lines []engine.Line
	for _, m := range pos.Moves() {
		if !slices.Contains(lim.Ban, m) {
			lines = append(lines, rate(pos, m, depth, lim.Nodes))
		}
	}
	slices.SortFunc(lines, func(a, b engine.Line) int {
		return cmp.Or(b.Score.Compare(a.Score), cmp.Compare(a.Move(), b.Move()))
	})
	return lines[:min(len(lines), max(lim.Lines, 1))]
}

// rate returns a line that starts with a move, with pseudo-random numbers.
func rate(pos engine.Position, m engine.Move, depth int, nodes int64) engine.Line {
	h := mix(pos.Key() ^ mix(uint64(m)) ^ mix(uint64(nodes)<<8|uint64(depth)))
	score := engine.Centipawns(int(h%2001) - 1000)
	if h%17 == 0 {
		score = engine.MateIn(int(h/17%9) - 4)
	}
	line := engine.Line{Moves: []engine.Move{m}, Score: score, Depth: depth, Nodes: nodes}
	for range h % 4 {
		next, err := pos.Play(line.Moves[len(line.Moves)-1])
		if err != nil || len(next.Moves()) == 0 {
			break
		}
		pos = next
		line.Moves = append(line.Moves, next.Moves()[h%uint64(len(next.Moves()))])
	}
	return line
}

// mix returns the finishing step of splitmix64.
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
