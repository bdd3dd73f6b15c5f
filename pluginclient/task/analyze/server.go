package analyze

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"sort"
	"sync"
	"time"

	"qhsh/engine"
	"qhsh/pluginclient/task/batch"
)

// A server has the state of a run.
type server struct {
	Options
	ctx  context.Context // of all searches
	stop func(error)     // ends ctx
	room chan struct{}   // a token for each request in flight

	writing sync.Mutex
	out     *json.Encoder
	tally   Tally // of what is written

	mu       sync.Mutex
	lanes    []*lane
	inFlight map[batch.ID][]*request // those of a line
	ended    bool                    // no more requests will come
	lost     error                   // why an engine is gone
}

// A lane is an engine with its requests.
type lane struct {
	Engine
	wake    *sync.Cond // a request waits, or the input has ended
	waiting []*request // the highest priority first, and then in the order of the input
	running []*request // in the order in which they were begun
}

// Run answers the requests of in until its end, and then those that are still in flight. The end of
// ctx cancels them; Run returns its cause then. It returns the error of reading or writing, or why
// an engine could not be kept alive. When it returns, no search is running. It does not wait for a
// pending call of in.Read.
func Run(ctx context.Context, in io.Reader, out io.Writer, o Options) (Tally, error) {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	s := &server{
		Options: o, ctx: ctx, stop: stop, out: json.NewEncoder(out),
		room: make(chan struct{}, maxInFlight), inFlight: map[batch.ID][]*request{},
	}
	s.out.SetEscapeHTML(false)
	var workers sync.WaitGroup
	for _, e := range o.Engines {
		l := &lane{Engine: e, wake: sync.NewCond(&s.mu)}
		s.lanes = append(s.lanes, l)
		for range l.Pool.Size() {
			workers.Go(func() {
				for r, ctx := s.next(l); r != nil; r, ctx = s.next(l) {
					s.done(r, s.search(ctx, r))
				}
			})
		}
	}
	err := s.read(in)
	s.mu.Lock()
	s.ended = true
	for _, l := range s.lanes {
		l.wake.Broadcast()
	}
	s.mu.Unlock()
	workers.Wait()
	if err == nil {
		err = context.Cause(ctx)
	}
	if err == nil {
		err = s.lost
	}
	return s.tally, err
}

// enqueue adds a request to the queue of its engine.
func (s *server) enqueue(r *request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	l := r.lane
	i := len(l.waiting)
	if i > 0 && l.waiting[i-1].priority < r.priority {
		i = sort.Search(i, func(i int) bool { return l.waiting[i].priority < r.priority })
	}
	l.waiting = slices.Insert(l.waiting, i, r)
	l.wake.Signal()
}

// next waits for a request and begins it. It returns nil when there will be no more.
func (s *server) next(l *lane) (*request, context.Context) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for len(l.waiting) == 0 {
		if s.ended {
			return nil, nil
		}
		l.wake.Wait()
	}
	r := l.waiting[0]
	l.waiting[0] = nil
	l.waiting = l.waiting[1:]
	ctx, cancel := context.WithCancelCause(s.ctx)
	r.cancel = cancel
	if r.ended != nil {
		cancel(r.ended)
	}
	l.running = append(l.running, r)
	return r, ctx
}

// search searches a request's position and returns the final answer, unless the request has been
// cancelled meanwhile.
func (s *server) search(ctx context.Context, r *request) Answer {
	if s.ctx.Err() != nil {
		return r.answer(nil, 0)
	}
	began := time.Now()
	update, end := s.reportPartial(r, began)
	reply, err := r.ask(ctx, update)
	end()
	if reply.Err != nil {
		err = reply.Err
	}
	a := r.answer(reply.Hints, time.Since(began))
	a.Limits = reply.Limits
	switch {
	case err == nil && reply.Recovered != nil && s.OnRecovered != nil:
		s.OnRecovered(r.line, reply.Recovered)
	case err != nil && !errors.Is(err, engine.ErrMoveNow):
		a.Hints, a.Error, a.Line = nil, err.Error(), r.line
	}
	if err != nil && reply.Err == nil && ctx.Err() == nil {
		s.mu.Lock()
		s.lost = cmp.Or(s.lost, err)
		s.mu.Unlock()
	}
	return a
}

// done writes the final answer to a request, which a is if the request has not been cancelled, and makes
// room for another. It is the last one to the line if no other request of the line is in flight.
func (s *server) done(r *request, a Answer) {
	s.writing.Lock() // so that the last one is the last one written
	s.mu.Lock()
	l := r.lane
	l.running = slices.DeleteFunc(l.running, func(other *request) bool { return other == r })
	others := slices.DeleteFunc(s.inFlight[r.id], func(other *request) bool { return other == r })
	if s.inFlight[r.id] = others; len(others) == 0 {
		delete(s.inFlight, r.id)
	}
	a.Final = len(others) == 0
	if r.ended == errCancelled || s.ctx.Err() != nil {
		a = Answer{ID: r.id, Final: a.Final, Turn: a.Turn, Engine: a.Engine, Cancelled: true}
	}
	a.Stopped = r.ended == engine.ErrMoveNow && !a.Cancelled
	a.NoResults = (a.Stopped || a.Cancelled) && len(a.Hints) == 0 && a.Error == ""
	s.mu.Unlock()
	s.encode(a)
	s.writing.Unlock()
	if r.cancel != nil {
		r.cancel(nil)
	}
	select {
	case <-s.room:
	default: // ctx has ended before there was room for r
	}
}

// writeFinal writes the answer to a line that is no request.
func (s *server) writeFinal(a Answer) {
	a.Final = true
	s.write(a)
}

// write writes an answer by one call of Write.
func (s *server) write(a Answer) {
	s.writing.Lock()
	defer s.writing.Unlock()
	s.encode(a)
}

// encode is write for a caller that holds writing. It counts what is not a partial answer.
func (s *server) encode(a Answer) {
	if a.Action == "" && (a.Turn == nil || !a.IsDuringSearch) {
		s.tally.Answered++
	}
	if a.Error != "" {
		s.tally.Failed++
	}
	if a.Cancelled {
		s.tally.Cancelled++
	}
	if err := s.out.Encode(a); err != nil {
		s.stop(err)
	}
}
