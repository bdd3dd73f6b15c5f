package pluginclient

import (
	"context"
	"errors"
	"iter"
	"time"

	"qhsh/engine"
)

// A Ponderer is a Searcher that can think on its opponent's time.
type Ponderer interface {
	// Ponder searches the position after the expected reply. The caller closes hit when the
	// reply is played. Until then Ponder yields lines but does not end, and the time limit
	// does not run. If another move is played, the caller cancels ctx.
	Ponder(ctx context.Context, pos engine.Position, lim engine.Limits, hit <-chan struct{}) iter.Seq2[[]engine.Line, error]
}

// Ponder makes any Searcher think on its opponent's time. It calls the Searcher's own Ponder
// method if there is one. Otherwise it runs a search without a time limit, and ends it with
// ErrMoveNow when the time limit has passed since the hit.
func Ponder(ctx context.Context, s engine.Searcher, pos engine.Position, lim engine.Limits, hit <-chan struct{}) iter.Seq2[[]engine.Line, error] {
	if p, ok := engine.As[Ponderer](s); ok {
		return p.Ponder(ctx, pos, lim, hit)
	}
	return func(yield func([]engine.Line, error) bool) {
		ctx, cancel := context.WithCancelCause(ctx)
		defer cancel(nil)
		limit := lim.Time
		lim.Time = 0
		go func() {
			select {
			case <-hit:
			case <-ctx.Done():
				return
			}
			if limit <= 0 {
				return
			}
			select {
			case <-time.After(limit):
				cancel(engine.ErrMoveNow)
			case <-ctx.Done():
			}
		}()
		for lines, err := range s.Search(ctx, pos, lim) {
			if !yield(lines, err) || err != nil {
				return
			}
		}
		if err := AwaitHit(ctx, hit); err != nil {
			yield(nil, err)
		}
	}
}

// A PonderSearcher is a Searcher whose searches are those of [Ponder].
type PonderSearcher struct {
	Searcher engine.Searcher
	Hit      <-chan struct{}
}

// Search searches by Ponder.
func (p PonderSearcher) Search(ctx context.Context, pos engine.Position, lim engine.Limits) iter.Seq2[[]engine.Line, error] {
	return Ponder(ctx, p.Searcher, pos, lim, p.Hit)
}

// AwaitHit waits until hit is closed or ctx ends. It returns the cause of ctx, or nil if that is
// ErrMoveNow.
func AwaitHit(ctx context.Context, hit <-chan struct{}) error {
	select {
	case <-hit:
		return nil
	case <-ctx.Done():
		if cause := context.Cause(ctx); !errors.Is(cause, engine.ErrMoveNow) {
			return cause
		}
		return nil
	}
}
