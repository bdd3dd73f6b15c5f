package analyze

import (
	"context"
	"errors"
	"io"
	"slices"
	"sync"
	"time"

	"qhsh/engine"
	"qhsh/pluginclient/task/batch"
)

// A server has the state of a run.
type server struct {
	Options
	ctx  context.Context // of all searches
	out  *answerWriter
	room chan struct{} // a token for each request in flight

	parser messageParser // of read

	mu       sync.Mutex
	lanes    []*lane
	inFlight map[batch.ID]*request
	accepted int   // requests so far
	ended    bool  // no more requests will come
	lost     error // why an engine is gone
	tally    Tally
}

// A lane is an engine with its requests.
type lane struct {
	Engine
	wake    *sync.Cond // a request waits, or the input has ended
	waiting queue
	running []*request // in the order in which they were begun
}

// Run answers the requests of in until its end, and then those that are still in flight. The end of
// ctx cancels them; Run returns its cause then. It returns the error of reading or writing, or why
// an engine could not be kept alive. When it returns, no search is running. It does not wait for a
// pending call of in.Read.
func Run(ctx context.Context, in io.Reader, out io.Writer, o Options) (Tally, error) {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	s := newServer(ctx, out, stop, o)
	var workers sync.WaitGroup
	for _, l := range s.lanes {
		for range l.Pool.Size() {
			workers.Go(func() {
				for r, ctx := s.next(l); r != nil; r, ctx = s.next(l) {
					s.finish(r, s.search(ctx, r))
				}
			})
		}
	}
	err := s.read(in)
	s.end()
	workers.Wait()
	if err == nil {
		err = context.Cause(ctx)
	}
	if err == nil {
		err = s.lost
	}
	return s.tally, err
}

func newServer(ctx context.Context, out io.Writer, stop func(error), o Options) *server {
	s := &server{
		Options: o, ctx: ctx, out: newAnswerWriter(out, stop),
		room: make(chan struct{}, MaxInFlight), inFlight: map[batch.ID]*request{},
	}
	for _, e := range o.Engines {
		s.lanes = append(s.lanes, &lane{Engine: e, wake: sync.NewCond(&s.mu)})
	}
	return s
}

// end tells the workers that no more requests will come.
func (s *server) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ended = true
	for _, l := range s.lanes {
		l.wake.Broadcast()
	}
}

// enqueue adds a request to the queue of its engine.
func (s *server) enqueue(r *request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.accepted++
	r.seq = s.accepted
	s.inFlight[r.id] = r
	r.lane.waiting.add(r)
	r.lane.wake.Signal()
}

// next waits for a request and begins it. It returns nil when there will be no more.
func (s *server) next(l *lane) (*request, context.Context) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r := l.waiting.take()
	for ; r == nil; r = l.waiting.take() {
		if s.ended {
			return nil, nil
		}
		l.wake.Wait()
	}
	ctx, cancel := context.WithCancelCause(s.ctx)
	r.cancel = cancel
	l.running = append(l.running, r)
	return r, ctx
}

// search searches a request's position and returns the final answer, unless the request has been
// cancelled meanwhile.
func (s *server) search(ctx context.Context, r *request) Answer {
	if s.ctx.Err() != nil {
		return r.cancelled()
	}
	began := time.Now()
	partial := s.reportPartial(r, began)
	reply, err := r.ask(ctx, partial.update)
	partial.end()
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
		s.lose(err)
	}
	return a
}

// lose stores why an engine is gone.
func (s *server) lose(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.lost == nil {
		s.lost = err
	}
}

// finish makes a running request done, with an answer that applies if it has not been cancelled.
func (s *server) finish(r *request, a Answer) {
	s.mu.Lock()
	l := r.lane
	l.running = slices.DeleteFunc(l.running, func(other *request) bool { return other == r })
	delete(s.inFlight, r.id)
	if r.ended == errCancelled || s.ctx.Err() != nil {
		a = r.cancelled()
	}
	a.Stopped = r.ended == engine.ErrMoveNow && !a.Cancelled
	s.mu.Unlock()
	r.cancel(nil)
	s.answerDone(a)
}

// cancelled returns the final answer to a request that was cancelled.
func (r *request) cancelled() Answer {
	return Answer{ID: r.id, Engine: r.lane.Name, Cancelled: true}
}

// answerDone writes the final answer to a request that is done, and makes room for another.
func (s *server) answerDone(a Answer) {
	s.writeFinal(a)
	<-s.room
}

// writeFinal writes a final answer and counts it.
func (s *server) writeFinal(a Answer) {
	a.Final = true
	s.mu.Lock()
	if a.Action == "" {
		s.tally.Answered++
	}
	if a.Error != "" {
		s.tally.Failed++
	}
	if a.Cancelled {
		s.tally.Cancelled++
	}
	s.mu.Unlock()
	s.out.write(a)
}
