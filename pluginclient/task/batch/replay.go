package batch

import (
	"context"
	"fmt"
	"io"
	"slices"
	"sync"
)

// A replayQueue passes tasks from the reader to the replay. When the replay ends, the unused tasks
// are dispatched without the reader, which may be waiting for a line of the input that never comes.
type replayQueue struct {
	ctx     context.Context
	mu      sync.Mutex
	changed sync.Cond
	tasks   []*task // lent, in order, not yet used
	starved bool    // the replay waits for a task that is not among them
	err     error   // why the reader has no more tasks
	closed  bool
	emptied chan struct{} // closed when the unused tasks are dispatched
}

func newReplayQueue(ctx context.Context) *replayQueue {
	l := &replayQueue{ctx: ctx, emptied: make(chan struct{})}
	l.changed.L = &l.mu
	context.AfterFunc(ctx, func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.changed.Broadcast()
	})
	return l
}

// offer queues a task once the replay asks for one. It returns false when the queue is closed; the
// reader then keeps the task.
func (l *replayQueue) offer(t *task) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	for !l.starved && !l.closed && l.ctx.Err() == nil {
		l.changed.Wait()
	}
	if l.closed || l.ctx.Err() != nil {
		return false
	}
	l.tasks, l.starved = append(l.tasks, t), false
	l.changed.Signal()
	return true
}

// end tells why the reader has no more tasks.
func (l *replayQueue) end(err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.err = err
	l.changed.Broadcast()
}

// take returns the task with an index.
func (l *replayQueue) take(index int) (*task, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for {
		if i := slices.IndexFunc(l.tasks, func(t *task) bool { return t.index == index }); i >= 0 {
			t := l.tasks[i]
			l.tasks = slices.Delete(l.tasks, i, i+1)
			return t, nil
		}
		switch {
		case l.ctx.Err() != nil:
			return nil, context.Cause(l.ctx)
		case l.err == io.EOF:
			return nil, ErrOtherInput
		case l.err != nil:
			return nil, fmt.Errorf("input: %w", l.err)
		}
		l.starved = true
		l.changed.Signal()
		l.changed.Wait()
	}
}

// close closes the queue and returns the unused tasks.
func (l *replayQueue) close() []*task {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.closed = true
	l.changed.Broadcast()
	return l.tasks
}

// replay writes the answers in the log, in its order.
func (r *runner) replay(sink Sink) error {
	if r.Log == nil {
		return nil
	}
	damaged, err := r.Log.Replay(func(ref int64, record []byte) error { return r.replayOne(sink, ref, record) })
	if err != nil {
		return err
	}
	r.nextIndex = r.tally.Done
	if r.OnResumed != nil {
		r.OnResumed(r.tally, damaged)
	}
	return nil
}

// dispatchUnused dispatches the tasks that the replay has not used.
func (r *runner) dispatchUnused() {
	for _, t := range r.replaying.close() {
		if !r.acquire() || !r.dispatch(t) {
			return
		}
	}
	close(r.replaying.emptied)
}

func (r *runner) replayOne(sink Sink, ref int64, record []byte) error {
	e, err := parseEntry(record)
	if err != nil {
		return fmt.Errorf("log: %w", err)
	}
	t, err := r.replaying.take(e.index)
	if err != nil {
		return err
	}
	if t.sum != e.sum {
		return ErrOtherInput
	}
	if err := r.restore(t, e, ref); err != nil {
		return fmt.Errorf("log: %w", err)
	}
	return r.writeAnswer(sink, t)
}

// restore answers a task from its log entry.
func (r *runner) restore(t *task, e entry, ref int64) (err error) {
	t.needsEngine = r.classify(t)
	if !t.needsEngine {
		return nil
	}
	t.equal, t.logged, t.ref = e.equal, true, ref
	if e.reply != nil {
		t.reply, t.key = *e.reply, e.key
		if r.memo != nil && e.reply.Err == nil {
			r.memo.store(e.key, ref)
		}
		return nil
	}
	if !e.equal {
		return errEntry
	}
	_, t.reply, err = replyAt(r.Log, e.ref)
	return err
}
