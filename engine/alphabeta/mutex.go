package alphabeta

import (
	"context"

	"qhsh/engine"
)

// A Mutex is a lock that can be waited for within a context.
type Mutex chan struct{}

// NewMutex returns an unlocked Mutex.
func NewMutex() Mutex { return make(Mutex, 1) }

// Lock waits until the mutex is unlocked and locks it.
func (m Mutex) Lock() { m <- struct{}{} }

// Unlock unlocks the mutex.
func (m Mutex) Unlock() { <-m }

// LockContext is Lock, unless ctx ends first: then it returns its cause. A context that has ended
// with engine.ErrMoveNow still locks a mutex that is unlocked.
func (m Mutex) LockContext(ctx context.Context) error {
	if err := engine.AbortCause(ctx); err != nil {
		return err
	}
	select {
	case m <- struct{}{}:
		return nil
	default:
	}
	select {
	case m <- struct{}{}:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
