package match

import (
	"context"
	"sync"
	"time"
)

// tick is how often a stopwatch reads the time.
const tick = 50 * time.Millisecond

// A stopwatch measures an engine's thinking time, without periods in which this process was
// stopped: whether a reply arrived meanwhile is unknown.
type stopwatch struct {
	mu       sync.Mutex
	lastRead time.Time
	elapsed  time.Duration
	stopped  time.Duration // not part of elapsed
}

// startWatch returns a stopwatch that runs until the returned context is cancelled. If limit is not
// zero the context is cancelled with cause after that time.
func startWatch(ctx context.Context, limit time.Duration, cause error) (*stopwatch, context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	w := &stopwatch{lastRead: time.Now()}
	go func() {
		for {
			elapsed, stopped := w.read()
			wait := tick // after a stop, leave time to read what has arrived
			switch left := limit - elapsed; {
			case limit == 0 || stopped:
			case left <= 0:
				cancel(cause)
				return
			default:
				wait = min(wait, left)
			}
			select {
			case <-time.After(wait):
			case <-ctx.Done():
				return
			}
		}
	}()
	return w, ctx, func() { cancel(nil) }
}

// read returns the elapsed time, and reports whether the process was stopped since the last read.
func (w *stopwatch) read() (elapsed time.Duration, stopped bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	now := time.Now()
	since := now.Sub(w.lastRead)
	w.lastRead = now
	if stopped = since > 2*tick; stopped {
		w.stopped += since
	} else {
		w.elapsed += since
	}
	return w.elapsed, stopped
}

// uncharged returns the time in which the process was stopped.
func (w *stopwatch) uncharged() time.Duration {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.stopped
}
