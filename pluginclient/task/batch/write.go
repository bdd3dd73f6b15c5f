package batch

import (
	"context"
	"fmt"
	"sync"
	"time"
)

// runner is a run under way. Every position is a task, which goes from the reader to the
// crew through ask, unless it is answered already, and to the writer through done. As many
// are on their way at a time as there are places, so that done and again, which have room
// for as many, never hold anybody up.
type runner struct {
	Options
	who  Reply
	memo *memo // nil: equal positions are searched again

	replayed *loan // what the reader lends to the replay

	ctx     context.Context
	stop    context.CancelCauseFunc
	workers sync.WaitGroup
	places  chan struct{}
	ask     chan *task
	again   chan *task // those that a leader has failed
	done    chan *task
	ended   chan inputEnd

	// The rest is the writer's.
	buf     []byte
	tally   Tally
	turn    int           // the index that is written next, where order is kept
	waiting map[int]*task // answers that have come too early
	wrote   time.Time     // when it last had nothing more to write
}

func newRunner(ctx context.Context, stop context.CancelCauseFunc, crew Crew, o Options) *runner {
	room := aheadPerJob * crew.Size()
	r := &runner{
		Options: o, who: crew.Who(), ctx: ctx, stop: stop,
		places: make(chan struct{}, room), ask: make(chan *task, room), again: make(chan *task, room),
		done: make(chan *task, room), ended: make(chan inputEnd, 1),
		replayed: newLoan(ctx),
		waiting:  map[int]*task{},
	}
	r.who.Hints = nil
	if !o.NoDedup {
		if r.Log == nil {
			r.Log = newMemLog()
		}
		r.memo = newMemo(r.Log)
	}
	return r
}

// enter waits for a place for one more task.
func (r *runner) enter() bool {
	select {
	case r.places <- struct{}{}:
		return true
	case <-r.ctx.Done():
		return false
	}
}

// leave gives a place back.
func (r *runner) leave() { <-r.places }

// write writes answers until there are as many as the input has positions.
func (r *runner) write(sink Sink) error {
	end := inputEnd{positions: -1}
	for end.positions != r.tally.Done {
		select {
		case t := <-r.done:
			if err := r.takeAll(sink, t); err != nil {
				return err
			}
		case end = <-r.ended:
		case <-r.ctx.Done():
			r.workers.Wait() // what they have found out by now counts
			if err := r.writeRest(sink); err != nil {
				return err
			}
			select {
			case end = <-r.ended:
			default:
			}
			if end.positions != r.tally.Done {
				return context.Cause(r.ctx)
			}
		}
	}
	if end.err != nil {
		return fmt.Errorf("input: %w", end.err)
	}
	if r.Ended != nil {
		r.Ended(end.sum)
	}
	return nil
}

// writeInterval is the shortest time between two wakings of the writer while positions are under
// way. To wake it for every answer would cost a fast crew more time than to write it.
const writeInterval = time.Millisecond

// takeAll takes an answer and all others that are there. Where others are under way and the
// writer was busy a moment ago, it lets some come first. Where this is the only one, whoever
// wrote its position may wait for the answer before the next, so it is written at once.
func (r *runner) takeAll(sink Sink, t *task) error {
	if len(r.places) > 1 {
		time.Sleep(writeInterval - time.Since(r.wrote))
	}
	for {
		if err := r.take(sink, t); err != nil {
			return err
		}
		select {
		case t = <-r.done:
			continue
		default:
		}
		r.wrote = time.Now()
		return nil
	}
}

// writeRest writes what is there after the run has been broken off, which may be all that
// was missing.
func (r *runner) writeRest(sink Sink) error {
	for {
		select {
		case t := <-r.done:
			if err := r.take(sink, t); err != nil {
				return err
			}
		default:
			return nil
		}
	}
}

// take writes an answer, or puts it aside until its turn comes.
func (r *runner) take(sink Sink, t *task) error {
	if r.Unordered {
		return r.put(sink, t)
	}
	r.waiting[t.index] = t
	for {
		t, ok := r.waiting[r.turn]
		if !ok {
			return nil
		}
		if err := r.put(sink, t); err != nil {
			return err
		}
		delete(r.waiting, r.turn)
		r.turn++
	}
}

// put logs an answer, then writes it.
func (r *runner) put(sink Sink, t *task) error {
	if r.Strict && t.reply.Err != nil {
		return &StrictError{Item: t.item, Err: t.reply.Err}
	}
	if err := r.note(t); err != nil {
		return fmt.Errorf("log: %w", err)
	}
	if err := r.show(sink, t); err != nil {
		return err
	}
	r.leave()
	if r.Healed != nil && t.reply.Healed != nil && !t.equal {
		r.Healed(t.item, t.reply.Healed)
	}
	if r.Progress != nil {
		r.Progress(r.tally)
	}
	return nil
}

// show writes an answer and counts it.
func (r *runner) show(sink Sink, t *task) error {
	a := t.answer()
	if err := sink.Write(a); err != nil {
		return fmt.Errorf("output: %w", err)
	}
	r.tally = r.tally.Plus(t.tally(a))
	return nil
}

// tally is what a task adds to that of the run.
func (t *task) tally(a Answer) Tally {
	solved, scored := a.Solved()
	return Tally{
		Done: 1, Failed: one(a.Err != nil), Scored: one(scored), Solved: one(solved),
		Cached: one(t.reply.Cached && !t.equal), Equal: one(t.equal),
	}
}

func one(is bool) int {
	if is {
		return 1
	}
	return 0
}

// note appends an answer to the log.
func (r *runner) note(t *task) (err error) {
	if r.Log == nil {
		return nil
	}
	e := entry{index: t.index, sum: t.sum, equal: t.equal, cached: t.reply.Cached && !t.equal}
	leader := t.leader
	switch {
	case !t.asked:
	case t.kept:
		e.ref = t.ref
	case t.equal && leader != nil && leader.kept:
		e.ref = leader.ref
	default: // an equal one may come before its leader where order is not kept
		e.key, e.reply = t.key, &t.reply
	}
	r.buf = e.append(r.buf[:0])
	if t.ref, err = r.Log.Append(r.buf); err != nil {
		return err
	}
	t.kept = true
	if t.leads {
		r.memo.keep(t.key, t.ref)
	}
	return nil
}
