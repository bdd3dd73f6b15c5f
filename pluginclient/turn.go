package pluginclient

import (
	"context"
	"errors"
	"sync"

	"qhsh/engine"
)

// A Turn is the right to talk to an engine, which one caller at a time has. It has two
// ends: the caller has its answer, and later the engine is at rest; the next caller waits
// for the second.
type Turn struct {
	// Lifetime ends with the conversation. Its cause is ErrClosed.
	Lifetime context.Context

	name      func() string // of the engine
	cancel    context.CancelCauseFunc
	held      chan struct{} // holds a token while somebody talks
	calls     chan func()   // what is to be done by the goroutine that does it
	startOnce sync.Once     // starts that goroutine
	lastErr   error         // how the latest call ended; belongs to whoever has the turn, like closed
	closed    bool
}

// NewTurn is the turn of a conversation that begins. The engine may tell its name later.
func NewTurn(name func() string) *Turn {
	t := &Turn{name: name, held: make(chan struct{}, 1), calls: make(chan func())}
	t.Lifetime, t.cancel = context.WithCancelCause(context.Background())
	return t
}

// A call is something that an engine does.
type call[T any] struct {
	do        func(ctx context.Context) (T, error)
	wrapError func(error) error // what is told of an error; nil stays nil
	settle    func() error      // brings the engine to rest when the caller has its answer; may be nil

	// always is set for a verb that is done in its turn even if ctx has ended by then: what
	// ends ctx is said to the engine behind what it is asked, whichever comes first here. The
	// caller stays until the verb is done.
	always bool
}

// runCall runs a verb while it is this caller's turn. When ctx ends the caller goes away with
// its cause, while the verb brings the engine to rest before it passes on the turn. A caller
// who asks to move now stays for the answer. Settling keeps the turn, but not the caller.
//
// The caller of a verb that is done Always has the cause too, with the value beside it if
// the verb has not failed.
func runCall[T any](ctx context.Context, t *Turn, verb call[T]) (T, error) {
	var none T
	queued := ctx
	if verb.always {
		queued = context.WithoutCancel(ctx)
	}
	if err := t.Acquire(queued); err != nil {
		return none, err
	}
	type outcome struct {
		value T
		err   error
	}
	done := make(chan outcome, 1)
	do := func() {
		defer t.Release()
		value, err := verb.do(ctx)
		t.lastErr = verb.wrapError(err)
		done <- outcome{value, t.lastErr}
		if verb.settle == nil {
			return
		}
		if err := verb.wrapError(verb.settle()); err != nil {
			t.lastErr = err
		}
	}
	if ctx.Done() == nil { // nobody goes away
		do()
	} else {
		t.start(do)
	}
	select {
	case o := <-done:
		return o.value, o.err
	case <-ctx.Done():
	}
	cause := context.Cause(ctx)
	moveNow := errors.Is(cause, engine.ErrMoveNow)
	if !moveNow && !verb.always {
		return none, cause
	}
	o := <-done
	switch {
	case moveNow:
		return o.value, o.err
	case o.err != nil:
		return none, cause
	}
	return o.value, cause
}

// start has a verb done beside the caller: by one goroutine for the whole conversation, whose
// stack has grown to what verbs need.
func (t *Turn) start(do func()) {
	t.startOnce.Do(func() { go t.runCalls() })
	select {
	case t.calls <- do:
	case <-t.Lifetime.Done():
		go do()
	}
}

func (t *Turn) runCalls() {
	for {
		select {
		case do := <-t.calls:
			do()
		case <-t.Lifetime.Done():
			return
		}
	}
}

// Acquire waits for the turn, which the caller has until it calls Release. Somebody who wants a
// move now waits for it all the same.
func (t *Turn) Acquire(ctx context.Context) error {
	if cause := context.Cause(ctx); cause != nil && !errors.Is(cause, engine.ErrMoveNow) {
		return cause
	}
	if err := t.queueUp(ctx); err != nil {
		return err
	}
	if t.closed {
		t.Release()
		return t.closedError()
	}
	return nil
}

func (t *Turn) queueUp(ctx context.Context) error {
	gone := ctx.Done()
	for {
		select {
		case t.held <- struct{}{}:
			return nil
		case <-t.Lifetime.Done():
			return t.closedError()
		case <-gone:
			if cause := context.Cause(ctx); !errors.Is(cause, engine.ErrMoveNow) {
				return cause
			}
			gone = nil
		}
	}
}

// Release passes on the turn.
func (t *Turn) Release() { <-t.held }

func (t *Turn) closedError() error { return &Error{Engine: t.name(), Err: ErrClosed} }

// Idle waits until the engine is at rest: a call that was given up may still be bringing it
// there. The error says that the engine was lost on the way, or is that of ctx.
func (t *Turn) Idle(ctx context.Context) error {
	select {
	case t.held <- struct{}{}:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	defer t.Release()
	if Lost(t.lastErr) {
		return t.lastErr
	}
	return nil
}

// Close ends the conversation: the call under way is given up, and quit has the last turn.
func (t *Turn) Close(quit func()) {
	t.cancel(ErrClosed)
	t.held <- struct{}{}
	defer t.Release()
	quit()
	t.closed = true
}

// Bind is ctx, which then ends with the conversation too.
func (t *Turn) Bind(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	unhook := context.AfterFunc(t.Lifetime, func() { cancel(context.Cause(t.Lifetime)) })
	return ctx, func() {
		unhook()
		cancel(nil)
	}
}
