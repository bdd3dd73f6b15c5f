package analyze

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"sync"
	"time"

	"qhsh/engine"
	"qhsh/pluginclient/task/batch"
)

// A conversation is one input of a server with its output.
type conversation struct {
	*Server
	ctx     context.Context // of all searches
	stop    func(error)     // ends ctx
	room    chan struct{}   // a token for each request in flight
	open    sync.WaitGroup  // counts the requests in flight
	running sync.WaitGroup  // counts those that a worker has

	writing sync.Mutex
	out     *json.Encoder
	tally   Tally // of what is written

	// The server's mutex guards what follows.
	inFlight map[batch.ID][]*request // those of a line
	lost     error                   // why an engine is gone
}

// Serve answers the requests of in until its end, and then those that are still in flight. The end of
// ctx cancels them; Serve returns its cause then. It returns the error of reading or writing, or why
// an engine could not be kept alive. When it returns, no search of the conversation is running. It does
// not wait for a pending call of in.Read. A call of out.Write that blocks keeps an engine from all
// conversations, so it should have a deadline.
func (s *Server) Serve(ctx context.Context, in io.Reader, out io.Writer) (Tally, error) {
	s.conversations.Add(1)
	defer s.conversations.Done()
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	c := &conversation{
		Server: s, ctx: ctx, stop: stop, out: json.NewEncoder(out),
		room: make(chan struct{}, maxInFlight), inFlight: map[batch.ID][]*request{},
	}
	c.out.SetEscapeHTML(false)
	err := c.read(in)
	defer context.AfterFunc(ctx, c.withdraw)()
	c.open.Wait()
	return c.tally, cmp.Or(err, context.Cause(ctx), c.lost)
}

// withdraw answers the requests that wait when ctx has ended, after those that run. Their engines may have
// long searches of other conversations.
func (c *conversation) withdraw() {
	var waiting []*request
	c.mu.Lock()
	for _, l := range c.lanes {
		l.waiting = slices.DeleteFunc(l.waiting, func(r *request) bool {
			if r.from == c {
				waiting = append(waiting, r)
			}
			return r.from == c
		})
	}
	c.mu.Unlock()
	c.running.Wait()
	for _, r := range waiting {
		c.done(r, r.answer(nil, 0))
	}
}

// search searches a request's position and returns the final answer, unless the request has been
// cancelled meanwhile.
func (c *conversation) search(ctx context.Context, r *request) Answer {
	if c.ctx.Err() != nil {
		return r.answer(nil, 0)
	}
	began := time.Now()
	update, end := c.reportPartial(r, began)
	reply, err := r.ask(ctx, update)
	end()
	if reply.Err != nil {
		err = reply.Err
	}
	a := r.answer(reply.Hints, time.Since(began))
	a.Limits = reply.Limits
	switch {
	case err == nil && reply.Recovered != nil && c.OnRecovered != nil:
		c.OnRecovered(r.line, reply.Recovered)
	case err != nil && !errors.Is(err, engine.ErrMoveNow):
		a.Hints, a.Error, a.Line = nil, err.Error(), r.line
	}
	if err != nil && reply.Err == nil && ctx.Err() == nil {
		c.mu.Lock()
		c.lost = cmp.Or(c.lost, err)
		c.mu.Unlock()
	}
	return a
}

// done writes the final answer to a request, which a is if the request has not been cancelled, and makes
// room for another. It is the last one to the line if no other request of the line is in flight.
func (c *conversation) done(r *request, a Answer) {
	c.writing.Lock() // so that the last one is the last one written
	c.mu.Lock()
	l := r.lane
	l.running = slices.DeleteFunc(l.running, func(other *request) bool { return other == r })
	others := slices.DeleteFunc(c.inFlight[r.id], func(other *request) bool { return other == r })
	if c.inFlight[r.id] = others; len(others) == 0 {
		delete(c.inFlight, r.id)
	}
	a.Final = len(others) == 0
	if r.ended == errCancelled || c.ctx.Err() != nil {
		a = Answer{ID: r.id, Final: a.Final, Turn: a.Turn, Engine: a.Engine, Cancelled: true}
	}
	a.Stopped = r.ended == engine.ErrMoveNow && !a.Cancelled
	a.NoResults = (a.Stopped || a.Cancelled) && len(a.Hints) == 0 && a.Error == ""
	c.mu.Unlock()
	c.encode(a)
	c.writing.Unlock()
	if r.cancel != nil {
		r.cancel(nil)
	}
	select {
	case <-c.room:
	default: // ctx has ended before there was room for r
	}
	c.open.Done()
}

// writeFinal writes the answer to a line that is no request.
func (c *conversation) writeFinal(a Answer) {
	a.Final = true
	c.write(a)
}

// write writes an answer by one call of Write.
func (c *conversation) write(a Answer) {
	c.writing.Lock()
	defer c.writing.Unlock()
	c.encode(a)
}

// encode is write for a caller that holds writing. It counts what is not a partial answer.
func (c *conversation) encode(a Answer) {
	if a.Action == "" && (a.Turn == nil || !a.IsDuringSearch) {
		c.tally.Answered++
	}
	if a.Error != "" {
		c.tally.Failed++
	}
	if a.Cancelled {
		c.tally.Cancelled++
	}
	if err := c.out.Encode(a); err != nil {
		c.stop(err)
	}
}
