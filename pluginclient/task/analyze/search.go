package analyze

import (
	"context"
	"sync"
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
		steps = Steps(pool.First(), r.limits, r.report/2)
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

// A partialReporter writes partial answers to a request; nil: none are wanted.
type partialReporter struct {
	write func([]batch.Hint)
	done  chan struct{}
	ended sync.WaitGroup

	mu     sync.Mutex
	latest []batch.Hint // nil if there is nothing new
}

// reportPartial starts writing the partial answers to a request, if they are wanted.
func (s *server) reportPartial(r *request, began time.Time) *partialReporter {
	if r.report == 0 {
		return nil
	}
	p := &partialReporter{done: make(chan struct{})}
	p.write = func(hints []batch.Hint) { s.out.write(r.answer(hints, time.Since(began))) }
	p.ended.Go(func() { p.run(r.report) })
	return p
}

// run writes what is new at every interval, until end.
func (p *partialReporter) run(interval time.Duration) {
	tick := time.NewTicker(interval)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			if hints := p.take(); hints != nil {
				p.write(hints)
			}
		case <-p.done:
			return
		}
	}
}

// update sets the hints so far.
func (p *partialReporter) update(hints []batch.Hint) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.latest = hints
}

func (p *partialReporter) take() (hints []batch.Hint) {
	p.mu.Lock()
	defer p.mu.Unlock()
	hints, p.latest = p.latest, nil
	return hints
}

// end waits until nothing more is written.
func (p *partialReporter) end() {
	if p == nil {
		return
	}
	close(p.done)
	p.ended.Wait()
}
