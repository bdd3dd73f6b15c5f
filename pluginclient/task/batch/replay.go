package batch

import (
	"context"
	"fmt"
	"slices"
)

// replay writes the answers in the log, in its order.
func (r *runner) replay(sink Sink) error {
	if r.Log == nil {
		return nil
	}
	damaged, err := r.Log.Replay(func(ref int64, record []byte) error {
		e, err := parseEntry(record)
		if err != nil {
			return fmt.Errorf("log: %w", err)
		}
		t, err := r.taskAt(e.index)
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
	})
	if err != nil {
		return err
	}
	r.nextIndex = r.tally.Done
	if r.OnResumed != nil {
		r.OnResumed(r.tally, damaged)
	}
	return nil
}

// taskAt returns the task with an index. Those before it in the input are kept for later.
func (r *runner) taskAt(index int) (*task, error) {
	for i := 0; ; i++ {
		if i == len(r.unused) {
			t := r.nextTask()
			if t == nil && r.ctx.Err() != nil {
				return nil, context.Cause(r.ctx)
			}
			if t == nil {
				if end := <-r.ended; end.err != nil {
					return nil, fmt.Errorf("input: %w", end.err)
				}
				return nil, ErrOtherInput
			}
			r.unused = append(r.unused, t)
		}
		if t := r.unused[i]; t.index == index {
			r.unused = slices.Delete(r.unused, i, i+1)
			return t, nil
		}
	}
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
