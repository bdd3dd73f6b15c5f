package batch

import (
	"context"
	"fmt"
	"io"
	"slices"
	"sync"
)

// A replayQueue passes tasks from the reader to the replay. When the replay ends, the unused tasks
// return to the reader, so no task that has been read waits for the next line of an input, which
// may never come.
type replayQueue struct {
	ctx     context.Context
	mu      sync.Mutex
	changed sync.Cond
	tasks   []*task // lent, in order, not yet used
	starved bool    // the replay waits for a task that is not among them
	err     error   // why the reader has no more tasks
	closed  bool
}

// maxQueued bounds the queued tasks while the replay finds the ones it needs.
const maxQueued = 256

func newReplayQueue(ctx context.Context) *replayQueue {
	l := &replayQueue{ctx: ctx}
	l.changed.L = &l.mu
	context.AfterFunc(ctx, func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.changed.Broadcast()
	})
	return l
}

// offer queues a task. It returns false when the queue is closed; the reader then keeps the task.
func (l *replayQueue) offer(t *task) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	for len(l.tasks) >= maxQueued && !l.starved && !l.closed && l.ctx.Err() == nil {
		l.changed.Wait()
	}
	if l.closed || l.ctx.Err() != nil {
		return false
	}
	l.tasks = append(l.tasks, t)
	l.changed.Signal()
	return true
}

// remaining waits for the queue to close and returns the unused tasks; nil if the run ends first,
// since the replay may still use them. err is why the reader has no more tasks, if so.
func (l *replayQueue) remaining(err error) []*task {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.err = err
	l.changed.Broadcast()
	for !l.closed && l.ctx.Err() == nil {
		l.changed.Wait()
	}
	if !l.closed {
		return nil
	}
	return l.tasks
}

// take returns the task with an index.
func (l *replayQueue) take(index int) (*task, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for {
		if i := slices.IndexFunc(l.tasks, func(t *task) bool { return t.index == index }); i >= 0 {
			t := l.tasks[i]
			l.tasks, l.starved = slices.Delete(l.tasks, i, i+1), false
			l.changed.Signal()
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

// close closes the queue.
func (l *replayQueue) close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.closed = true
	l.changed.Broadcast()
}

// replay writes the answers in the log, in its order.
func (r *runner) replay(sink Sink) error {
	defer r.replaying.close()
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
