package batch

import (
	"context"
	"fmt"
	"io"
	"slices"
)

// lend gives a task to the replay. It reports false when the replay wants no more.
func (r *runner) lend(t *task) bool {
	select {
	case r.lent <- t:
		return true
	case <-r.replayed:
		return false
	}
}

// replay writes the answers that the log holds, in its order. What it has read of the input and
// not answered is left for the reader.
func (r *runner) replay(sink Sink) error {
	defer close(r.replayed)
	if r.Log == nil {
		return nil
	}
	lost, err := r.Log.Replay(func(ref int64, record []byte) error { return r.replayOne(sink, ref, record) })
	if err != nil {
		return err
	}
	r.turn = r.tally.Done
	if r.Resumed != nil {
		r.Resumed(r.tally, lost)
	}
	return nil
}

func (r *runner) replayOne(sink Sink, ref int64, record []byte) error {
	e, err := parseEntry(record)
	if err != nil {
		return fmt.Errorf("log: %w", err)
	}
	t, err := r.borrow(e.index)
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

// borrow returns the task of a position of the input.
func (r *runner) borrow(index int) (*task, error) {
	if i := slices.IndexFunc(r.left, func(t *task) bool { return t.index == index }); i >= 0 {
		t := r.left[i]
		r.left = slices.Delete(r.left, i, i+1)
		return t, nil
	}
	for {
		select {
		case t, ok := <-r.lent:
			switch {
			case !ok && r.inputErr == io.EOF:
				return nil, ErrOtherInput
			case !ok:
				return nil, fmt.Errorf("input: %w", r.inputErr)
			case t.index == index:
				return t, nil
			}
			r.left = append(r.left, t)
		case <-r.ctx.Done():
			return nil, context.Cause(r.ctx)
		}
	}
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
