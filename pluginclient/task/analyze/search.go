package analyze

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"qhsh/engine"
	"qhsh/pluginclient/task/batch"
)

// ask searches a request's position. update, if partial answers are wanted, is called with the hints
// so far. The error is that of [batch.Pool.Query].
func (r *request) ask(ctx context.Context, update func([]batch.Hint)) (reply batch.Reply, err error) {
	pool := r.lane.Pool
	steps := []engine.Limits{r.limits}
	if r.report > 0 {
		steps = growingSteps(pool.First(), r.limits, r.report/2)
	}
	for _, lim := range steps {
		q := batch.Query{Pos: r.pos, Limits: lim}
		if r.report > 0 {
			q.OnLines = func(lines []engine.Line) { update(batch.FormatHints(r.pos, lines)) }
		}
		last := reply
		reply, err = pool.Query(ctx, q)
		if context.Cause(ctx) == engine.ErrMoveNow && (err != nil || reply.Err != nil) && last.Hints != nil {
			return last, nil
		}
		if err != nil || reply.Err != nil || ctx.Err() != nil {
			break
		}
	}
	if len(steps) > 1 && err == nil {
		reply.Limits.Time = r.limits.Time.Truncate(time.Millisecond) // the last step has only part of it
	}
	return reply, err
}

// reportPartial writes the partial answers to a request at every interval, if they are new, until end is
// called, which waits until nothing more is written. update sets the hints so far.
func (c *conversation) reportPartial(r *request, began time.Time) (update func([]batch.Hint), end func()) {
	if r.report == 0 {
		return nil, func() {}
	}
	var latest atomic.Pointer[[]batch.Hint] // nil if there is nothing new
	var writing sync.WaitGroup
	done := make(chan struct{})
	writing.Go(func() {
		tick := time.NewTicker(r.report)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				if hints := latest.Swap(nil); hints != nil {
					a := r.answer(*hints, time.Since(began))
					a.IsDuringSearch = true
					c.write(a)
				}
			case <-done:
				return
			}
		}
	})
	return func(hints []batch.Hint) { latest.Store(&hints) }, func() { close(done); writing.Wait() }
}
