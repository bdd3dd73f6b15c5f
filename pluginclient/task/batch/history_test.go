package batch

import (
	"context"
	"iter"
	"testing"
	"testing/synctest"
	"time"

	"qhsh/engine"
	"qhsh/engine/enginetest"
	"qhsh/pluginclient"
)

// iterations is a session with a list of lines for every depth: the index of the best move, or its complement for
// what the first depth told of it.
type iterations struct {
	pluginclient.Session
	best []int
}

func (s iterations) Search(_ context.Context, pos engine.Position, _ engine.Limits) iter.Seq2[[]engine.Line, error] {
	return func(yield func([]engine.Line, error) bool) {
		for i, best := range s.best {
			time.Sleep(10 * time.Millisecond)
			depth := i + 1
			if best < 0 {
				best, depth = ^best, 1
			}
			if !yield([]engine.Line{{Moves: pos.Moves()[best : best+1], Depth: depth, Nodes: int64(100 * depth)}}, nil) {
				return
			}
		}
	}
}

// TestHistory: the best move is found where it comes for the last time.
func TestHistory(t *testing.T) {
	at := func(depth int) Limits {
		return Limits{Depth: depth, Nodes: int64(100 * depth), Time: time.Duration(depth) * 10 * time.Millisecond}
	}
	for _, c := range []struct {
		best []int
		off  bool // without a history
		want Limits
	}{
		{best: []int{0}, want: at(1)},
		{best: []int{0, 1, 1}, want: at(2)},
		{best: []int{1, 0, 1, 1, 1}, want: at(3)},
		{best: []int{1, 1, 0}, want: at(3)},
		{best: []int{0, 1, ^0}, want: Limits{Depth: 2, Nodes: 200, Time: 30 * time.Millisecond}},
		{best: []int{0, 1, 1}, off: true},
	} {
		synctest.Test(t, func(t *testing.T) {
			farm, watched := &farm{search: rank}, 0
			pool, err := NewPool(t.Context(), PoolOptions{History: !c.off, Open: func(ctx context.Context) (pluginclient.Session, error) {
				s, err := farm.Open(ctx)
				return iterations{s, c.best}, err
			}})
			if err != nil {
				t.Fatal(err)
			}
			defer pool.Close()
			reply, err := pool.Query(t.Context(), Query{Pos: enginetest.Stones.Start(), OnLines: func([]engine.Line) { watched++ }})
			if err != nil || reply.Err != nil || reply.Found != c.want || watched != len(c.best) {
				t.Errorf("%v: %+v after %d lists, %v, want %+v", c.best, reply, watched, err, c.want)
			}
		})
	}
}
