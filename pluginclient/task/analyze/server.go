package analyze

import (
	"context"
	"io"
	"slices"
	"sort"
	"sync"
)

// A Server shares engines among any number of conversations.
type Server struct {
	Options
	workers       sync.WaitGroup
	conversations sync.WaitGroup

	mu     sync.Mutex
	lanes  []*lane
	closed bool // no more requests will come
}

// A lane is an engine with its requests.
type lane struct {
	Engine
	wake    *sync.Cond // a request waits, or the server is closed
	waiting []*request // the highest priority first, and then in the order of arrival
	running []*request // in the order in which they were begun
}

// Run is a Server's Serve for a single conversation.
func Run(ctx context.Context, in io.Reader, out io.Writer, o Options) (Tally, error) {
	s := NewServer(o)
	defer s.Close()
	return s.Serve(ctx, in, out)
}

// NewServer returns a Server that is to be closed.
func NewServer(o Options) *Server {
	s := &Server{Options: o}
	for _, e := range o.Engines {
		l := &lane{Engine: e, wake: sync.NewCond(&s.mu)}
		s.lanes = append(s.lanes, l)
		for range l.Pool.Size() {
			s.workers.Go(func() {
				for r, ctx := s.next(l); r != nil; r, ctx = s.next(l) {
					r.from.done(r, r.from.search(ctx, r))
					r.from.running.Done()
				}
			})
		}
	}
	return s
}

// Close waits for the end of all conversations and ends the workers. Serve must not be called afterwards.
// The pools stay open.
func (s *Server) Close() {
	s.conversations.Wait()
	s.mu.Lock()
	s.closed = true
	for _, l := range s.lanes {
		l.wake.Broadcast()
	}
	s.mu.Unlock()
	s.workers.Wait()
}

// enqueue adds a request to the queue of its engine.
func (s *Server) enqueue(r *request) {
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
func (s *Server) next(l *lane) (*request, context.Context) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for len(l.waiting) == 0 {
		if s.closed {
			return nil, nil
		}
		l.wake.Wait()
	}
	r := l.waiting[0]
	l.waiting[0] = nil
	l.waiting = l.waiting[1:]
	ctx, cancel := context.WithCancelCause(r.from.ctx)
	r.cancel = cancel
	if r.ended != nil {
		cancel(r.ended)
	}
	l.running = append(l.running, r)
	r.from.running.Add(1)
	return r, ctx
}
