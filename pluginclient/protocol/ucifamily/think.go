package ucifamily

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"qhsh/engine"
	"qhsh/pluginclient"
)

// overtime is how long after its time is up an engine that was told it is left alone. A
// "stop" then is what it should have done by itself.
const overtime = 250 * time.Millisecond

// Why a wait for an engine that thinks is broken off, apart from its context's causes.
var (
	errEnough = errors.New("a limit is reached")
	errAside  = errors.New("there is something to say")
	errHit    = errors.New("the expected reply was played")
)

// vigil is the wait for the answer to one "go".
type vigil struct {
	c       *Client
	ctx     context.Context
	q       SearchRequest
	asked   GoCommand
	hit     <-chan struct{}         // not nil: the engine thinks on its opponent's time
	thought *thought                // nil: nothing is understood, as in raw conversation
	heard   func(line string)       // told of every line; may be nil
	publish func(l []engine.Line)   // told of every list; may be nil
	stop    []string                // what ends it early
	until   func(string) bool       // the line that ends it; nil: a best move
	best    BestMove                // the line that has ended it
	refused string                  // what the engine has refused
	odd     string                  // the last line that makes no sense
	strays  int                     // how many there were
	ending  bool                    // it was told to stop, so nothing else ends the wait
	mu      sync.Mutex              // guards what follows
	wake    context.CancelCauseFunc // breaks off the wait
	ponders bool                    // the hit is still to come
	asides  []string
}

// watch sends the question and waits for the answer.
func (v *vigil) watch() error {
	if err := v.c.send(pluginclient.Sent, append(v.asked.Setup, v.asked.Line)...); err != nil {
		return err
	}
	v.c.busy, v.c.answered = true, false
	v.c.setAside(v.sayAside)
	defer v.c.setAside(nil)
	pluginclient.SearchStarted(v.ctx)
	if v.hit != nil {
		if over, err := v.ponder(); over || err != nil {
			return err
		}
	}
	err := v.untilAnswer(v.ctx, v.limit())
	v.c.answered = err == nil && v.thought != nil // what a person says next is not foreseen
	return v.end(err)
}

// bound is when a wait ends by itself, and why.
type bound struct {
	at    time.Time // zero: never
	cause error
}

func after(limit time.Duration, cause error) bound { return bound{time.Now().Add(limit), cause} }

// limit is how long the engine may think. One that was told to think without end has done
// nothing wrong when it does.
func (v *vigil) limit() bound {
	switch q := v.q; {
	case q.Time > 0 && v.asked.SentTime:
		return after(q.Time+overtime, pluginclient.ErrTimeUp)
	case q.Time > 0:
		return after(q.Time, pluginclient.ErrTimeUp)
	case q.Nodes == 0 && q.Depth == 0 && v.thought != nil:
		return after(v.c.link.Deadlines.Think, pluginclient.ErrTimeUp)
	case v.thought == nil:
		return bound{} // whoever speaks by hand is there to stop it
	}
	return after(v.c.link.Deadlines.Think, pluginclient.ErrDeadline)
}

// ponder waits for the hit. An answer that comes before it is held back.
func (v *vigil) ponder() (over bool, err error) {
	gone := make(chan struct{})
	defer close(gone)
	v.setPonders(true)
	go func() {
		select {
		case <-v.hit:
			v.rouse(errHit)
		case <-gone:
		}
	}()
	err = v.untilAnswer(v.ctx, bound{})
	v.setPonders(false)
	switch {
	case err == nil:
		ctx, cancel := v.c.link.Bind(v.ctx)
		defer cancel()
		return true, pluginclient.AwaitHit(ctx, v.hit)
	case errors.Is(err, errHit):
		return false, v.tellHit()
	default:
		return true, v.end(err)
	}
}

func (v *vigil) tellHit() error {
	hit := v.c.protocol.PonderHit
	if hit == "" {
		return nil
	}
	return v.c.link.Send(pluginclient.Sent, hit)
}

// untilAnswer reads until the answer has come, the bound is reached, or ctx ends.
func (v *vigil) untilAnswer(ctx context.Context, b bound) error {
	for {
		wait, cancel := v.wait(ctx, b)
		err := v.read(wait)
		cancel()
		if !errors.Is(err, errAside) {
			return err
		}
		if err := v.speak(); err != nil {
			return err
		}
	}
}

// wait is the context of a wait. It ends with the session too, unless it is one for what
// comes after that.
func (v *vigil) wait(ctx context.Context, b bound) (context.Context, context.CancelFunc) {
	wait, cancel := context.WithCancelCause(ctx)
	stop := func() {}
	timed := wait
	if !b.at.IsZero() {
		timed, stop = context.WithDeadlineCause(wait, b.at, b.cause)
	}
	unhook := func() bool { return true }
	if !v.ending {
		unhook = context.AfterFunc(v.c.link.Lifetime, func() { cancel(context.Cause(v.c.link.Lifetime)) })
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	v.wake = cancel
	switch {
	case len(v.asides) > 0:
		cancel(errAside)
	case v.ponders && isClosed(v.hit):
		cancel(errHit)
	}
	return timed, func() {
		unhook()
		stop()
		cancel(nil)
	}
}

func isClosed(hit <-chan struct{}) bool {
	select {
	case <-hit:
		return true
	default:
		return false
	}
}

func (v *vigil) setPonders(on bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.ponders = on
}

// read takes in lines up to the one that answers.
func (v *vigil) read(ctx context.Context) error {
	for v.strays < maxStray {
		line, err := v.c.link.Conn.Receive(ctx)
		if err != nil {
			return err
		}
		if v.heard != nil {
			v.heard(line)
		}
		switch best, ok := v.c.protocol.ParseBestMove(line); {
		case v.until != nil:
			if v.until(line) {
				return nil
			}
		case ok:
			v.best = best
			return nil
		case v.take(line) && !v.ending:
			return errEnough
		case v.refused != "" && !v.ending:
			return fmt.Errorf("%w: %s", pluginclient.ErrRefused, v.refused)
		}
	}
	return fmt.Errorf("%w: %d lines that make no sense", pluginclient.ErrFlood, v.strays)
}

// take takes in a line that does not end the search, and reports whether a limit that the
// engine could not be told is reached.
func (v *vigil) take(line string) (enough bool) {
	report, ok := v.c.protocol.ParseInfo(line, v.c.opts.Mate)
	if !ok {
		v.strays++
		v.odd = line
		return false
	}
	if report.Warning != "" {
		v.c.link.Warn(v.c.name() + " " + report.Warning)
	}
	t := v.thought
	if t == nil {
		return false
	}
	v.refused = report.Rejected
	if report.IllegalMove != "" && !t.turn() {
		v.refused = fmt.Sprintf("it takes %s for an illegal move", pluginclient.Excerpt(report.IllegalMove))
	}
	if t.add(report) && v.publish != nil {
		v.publish(t.lines())
	}
	return v.q.Nodes > 0 && !v.asked.SentNodes && t.nodes >= v.q.Nodes ||
		v.q.Depth > 0 && v.asked.EnforceDepth && report.Depth > v.q.Depth ||
		t.turned && report.IllegalMove != ""
}

// end brings a search to its end that has not answered yet, for the reason err. It is nil
// if there is an answer then that is wanted.
func (v *vigil) end(err error) error {
	limit := v.c.link.Deadlines.Abort
	late := errors.Is(err, pluginclient.ErrDeadline)
	wanted := errors.Is(err, pluginclient.ErrTimeUp) || errors.Is(err, errEnough) || errors.Is(err, engine.ErrMoveNow)
	switch {
	case err == nil:
		return nil
	case wanted:
		limit = v.c.link.Deadlines.Late
	case late:
		err = v.c.missing(err, v.odd)
	case pluginclient.Lost(err) && !errors.Is(err, pluginclient.ErrClosed):
		return err
	}
	v.ending = true
	if v.stop == nil {
		v.stop = []string{v.c.protocol.Stop}
	}
	stopErr := v.c.link.Send(pluginclient.Sent, v.stop...)
	if stopErr == nil {
		// Neither the caller nor the session can break this off: the engine has to rest.
		stopErr = v.c.missing(v.untilAnswer(context.Background(), after(limit, pluginclient.ErrDeadline)), v.odd)
	}
	switch {
	case wanted:
		return stopErr
	case stopErr != nil:
		return fmt.Errorf("%w, and after %s: %w", err, v.stop[0], stopErr)
	case late: // it is not lost: it has obeyed
		return fmt.Errorf("%w: %v", pluginclient.ErrTimedOut, err)
	}
	return err
}

// rouse breaks off the wait.
func (v *vigil) rouse(why error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.wake != nil && (v.ponders || !errors.Is(why, errHit)) {
		v.wake(why)
	}
}

// sayAside has something said to the engine while it thinks.
func (v *vigil) sayAside(lines []string) {
	v.mu.Lock()
	v.asides = append(v.asides, lines...)
	v.mu.Unlock()
	v.rouse(errAside)
}

func (v *vigil) speak() error {
	v.mu.Lock()
	lines := v.asides
	v.asides = nil
	v.mu.Unlock()
	if len(lines) == 0 {
		return nil
	}
	return v.c.link.Send(pluginclient.Sent, lines...)
}

func (c *Client) setAside(say func([]string)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.aside = say
}
