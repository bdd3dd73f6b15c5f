package pluginclient

import (
	"context"
	"errors"
	"sync"

	"qhsh/engine"
)

// A Turn serializes the calls to one engine. A call ends in two steps: first the caller gets its
// answer, and later the engine is idle again. The next caller waits for the second step.
type Turn struct {
	// Lifetime ends when the conversation is closed. Its cause is ErrClosed.
	Lifetime context.Context

	name      func() string // returns the engine's name
	cancel    context.CancelCauseFunc
	held      chan struct{} // holds a token while a caller has the turn
	calls     chan func()   // sent to the goroutine that runs them
	startOnce sync.Once     // starts that goroutine
	lastErr   error         // error of the latest call; guarded by the turn, like closed
	closed    bool
}

// NewTurn returns the Turn of a new conversation. name is called when an error needs the engine's
// name, which may be known only later.
func NewTurn(name func() string) *Turn {
	t := &Turn{name: name, held: make(chan struct{}, 1), calls: make(chan func())}
	t.Lifetime, t.cancel = context.WithCancelCause(context.Background())
	return t
}

// start runs do on another goroutine. One goroutine runs all calls of the conversation, so that its
// stack grows only once.
func (t *Turn) start(do func()) {
	t.startOnce.Do(func() {
		go func() {
			for {
				select {
				case do := <-t.calls:
					do()
				case <-t.Lifetime.Done():
					return
				}
			}
		}()
	})
	select {
	case t.calls <- do:
	case <-t.Lifetime.Done():
		go do()
	}
}

// Acquire waits for the turn, which the caller holds until it calls Release. It keeps waiting if
// ctx ends with ErrMoveNow.
func (t *Turn) Acquire(ctx context.Context) error {
	if err := engine.AbortCause(ctx); err != nil {
		return err
	}
	for gone := ctx.Done(); ; {
		select {
		case t.held <- struct{}{}:
			if t.closed {
				t.Release()
				return t.closedError()
			}
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

// Release releases the turn.
func (t *Turn) Release() { <-t.held }

func (t *Turn) closedError() error { return &Error{Engine: t.name(), Err: ErrClosed} }

// Idle waits until the engine is idle: an abandoned call may still be stopping its search. It
// returns an error if the engine was lost meanwhile, or the cause of ctx.
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

// Close ends the conversation: it abandons the call in progress and then calls quit.
func (t *Turn) Close(quit func()) {
	t.cancel(ErrClosed)
	t.held <- struct{}{}
	defer t.Release()
	quit()
	t.closed = true
}

// Bind returns a copy of ctx that also ends with the conversation.
func (t *Turn) Bind(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	unhook := context.AfterFunc(t.Lifetime, func() { cancel(context.Cause(t.Lifetime)) })
	return ctx, func() {
		unhook()
		cancel(nil)
	}
}
