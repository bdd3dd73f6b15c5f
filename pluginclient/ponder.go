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
	// Ponder is a Search of the position after a reply that is expected. Until hit is
	// closed, which tells that the reply was played, it yields lists but does not end,
	// and its limit on time does not count. A reply that was not played is told by the
	// end of the context, as for a search that is given up.
	Ponder(ctx context.Context, pos engine.Position, lim engine.Limits, hit <-chan struct{}) iter.Seq2[[]engine.Line, error]
}

// Ponder makes any Searcher think on its opponent's time: by its own means if it is a
// Ponderer, and else by a search without a limit on time that is told to move when its
// time after the hit is up.
func Ponder(ctx context.Context, s engine.Searcher, pos engine.Position, lim engine.Limits, hit <-chan struct{}) iter.Seq2[[]engine.Line, error] {
	if p, ok := engine.As[Ponderer](s); ok {
		return p.Ponder(ctx, pos, lim, hit)
	}
	return func(yield func([]engine.Line, error) bool) {
		ctx, cancel := context.WithCancelCause(ctx)
		defer cancel(nil)
		limit := lim.Time
		lim.Time = 0
		go endAfterHit(ctx, cancel, limit, hit)
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

// endAfterHit ends a search some time after the hit, if there is a limit.
func endAfterHit(ctx context.Context, cancel context.CancelCauseFunc, limit time.Duration, hit <-chan struct{}) {
	select {
	case <-hit:
	case <-ctx.Done():
		return
	}
	if limit <= 0 {
		return
	}
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-timer.C:
		cancel(engine.ErrMoveNow)
	case <-ctx.Done():
	}
}

// AwaitHit holds an answer back until hit is closed, or the context ends: with nil if
// somebody wants the move now, and with the cause otherwise.
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
