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
	conversations sync.WaitGroup

	mu    sync.Mutex
	lanes []*lane // in the order of Engine.Rank
}

// A lane is an engine with its requests.
type lane struct {
	Engine
	workers sync.WaitGroup
	wake    *sync.Cond // a request waits, or the lane is closed
	waiting []*request // the highest priority first, and then in the order of arrival
	running []*request // in the order in which they were begun
	closed  bool       // no more requests will come
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
		s.Add(e)
	}
	return s
}

// Add adds an engine, whose name no other one has. It may be called while conversations run.
func (s *Server) Add(e Engine) {
	l := &lane{Engine: e, wake: sync.NewCond(&s.mu)}
	s.mu.Lock()
	defer s.mu.Unlock()
	i := sort.Search(len(s.lanes), func(i int) bool { return s.lanes[i].Rank > e.Rank })
	s.lanes = slices.Insert(s.lanes, i, l)
	for range l.Pool.Size() {
		l.workers.Go(func() {
			for r, ctx := s.next(l); r != nil; r, ctx = s.next(l) {
				r.from.done(r, r.from.search(ctx, r))
				r.from.running.Done()
			}
		})
	}
}

// Remove takes an engine away and cancels its requests. None of its searches runs when Remove returns. The pool
// stays open.
func (s *Server) Remove(name string) {
	s.mu.Lock()
	i := slices.IndexFunc(s.lanes, func(l *lane) bool { return l.Name == name })
	if i < 0 {
		s.mu.Unlock()
		return
	}
	l := s.lanes[i]
	s.lanes = slices.Delete(s.lanes, i, i+1)
	waiting := l.waiting
	l.waiting, l.closed = nil, true
	for _, r := range slices.Concat(waiting, l.running) {
		if r.ended = errCancelled; r.cancel != nil {
			r.cancel(errCancelled)
		}
	}
	l.wake.Broadcast()
	s.mu.Unlock()
	for _, r := range waiting {
		r.from.done(r, r.answer(nil, 0))
	}
	l.workers.Wait()
}

// Close waits for the end of all conversations and removes all engines. Serve must not be called afterwards.
func (s *Server) Close() {
	s.conversations.Wait()
	for _, l := range s.current() {
		s.Remove(l.Name)
	}
}

// current returns the engines of now.
func (s *Server) current() []*lane {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.lanes)
}

// enqueue adds a request to the queue of its engine. ok is false if that has been removed.
func (s *Server) enqueue(r *request) (ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	l := r.lane
	if l.closed {
		r.ended = errCancelled
		return false
	}
	i := sort.Search(len(l.waiting), func(i int) bool { return l.waiting[i].priority < r.priority })
	l.waiting = slices.Insert(l.waiting, i, r)
	l.wake.Signal()
	return true
}

// next waits for a request and begins it. It returns nil when there will be no more.
func (s *Server) next(l *lane) (*request, context.Context) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for len(l.waiting) == 0 {
		if l.closed {
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
