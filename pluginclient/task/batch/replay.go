package batch

import (
	"context"
	"fmt"
	"io"
	"slices"
	"sync"
)

// A loan is the tasks that the reader lends to the replay. It ends with the replay; what has not
// been used then goes back to the reader. So nothing that has been read waits for the next line of
// an input, which may be silent.
type loan struct {
	ctx   context.Context
	mu    sync.Mutex
	moved sync.Cond
	tasks []*task // lent, in order, not used yet
	short bool    // the replay waits for a task that is not among them
	err   error   // why the reader has no more
	over  bool
}

// maxLent is how many tasks are lent at a time, as long as the replay finds the one that it needs.
const maxLent = 256

func newLoan(ctx context.Context) *loan {
	l := &loan{ctx: ctx}
	l.moved.L = &l.mu
	context.AfterFunc(ctx, func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.moved.Broadcast()
	})
	return l
}

// lend lends a task. It reports false when the loan is over; the task then stays with the reader.
func (l *loan) lend(t *task) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	for len(l.tasks) >= maxLent && !l.short && !l.over && l.ctx.Err() == nil {
		l.moved.Wait()
	}
	if l.over || l.ctx.Err() != nil {
		return false
	}
	l.tasks = append(l.tasks, t)
	l.moved.Signal()
	return true
}

// rest waits for the end of the loan, and returns what has not been used: nothing if the run is
// broken off before, as the replay may still use it. Err says why the reader has no more to lend,
// if it has not.
func (l *loan) rest(err error) []*task {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.err = err
	l.moved.Broadcast()
	for !l.over && l.ctx.Err() == nil {
		l.moved.Wait()
	}
	if !l.over {
		return nil
	}
	return l.tasks
}

// borrow returns the task of a position of the input.
func (l *loan) borrow(index int) (*task, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for {
		if i := slices.IndexFunc(l.tasks, func(t *task) bool { return t.index == index }); i >= 0 {
			t := l.tasks[i]
			l.tasks, l.short = slices.Delete(l.tasks, i, i+1), false
			l.moved.Signal()
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
		l.short = true
		l.moved.Signal()
		l.moved.Wait()
	}
}

// end ends the loan.
func (l *loan) end() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.over = true
	l.moved.Broadcast()
}

// replay writes the answers that the log holds, in its order.
func (r *runner) replay(sink Sink) error {
	defer r.replayed.end()
	if r.Log == nil {
		return nil
	}
	damaged, err := r.Log.Replay(func(ref int64, record []byte) error { return r.replayOne(sink, ref, record) })
	if err != nil {
		return err
	}
	r.turn = r.tally.Done
	if r.Resumed != nil {
		r.Resumed(r.tally, damaged)
	}
	return nil
}

func (r *runner) replayOne(sink Sink, ref int64, record []byte) error {
	e, err := parseEntry(record)
	if err != nil {
		return fmt.Errorf("log: %w", err)
	}
	t, err := r.replayed.borrow(e.index)
	if err != nil {
		return err
	}
	if t.sum != e.sum {
		return ErrOtherInput
	}
	if err := r.recall(t, e, ref); err != nil {
		return fmt.Errorf("log: %w", err)
	}
	return r.show(sink, t)
}

// recall answers a task from its entry.
func (r *runner) recall(t *task, e entry, ref int64) (err error) {
	t.asked = r.classify(t)
	if !t.asked {
		return nil
	}
	t.equal, t.kept, t.ref = e.equal, true, ref
	if e.reply != nil {
		t.reply, t.key = *e.reply, e.key
		if r.memo != nil && e.reply.Err == nil {
			r.memo.keep(e.key, ref)
		}
		return nil
	}
	if !e.equal {
		return errEntry
	}
	_, t.reply, err = replyAt(r.Log, e.ref)
	return err
}
