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

	replaying *replayQueue // what the reader lends to the replay

	ctx      context.Context
	stop     context.CancelCauseFunc
	workers  sync.WaitGroup
	inFlight chan struct{}
	ask      chan *task
	retry    chan *task // those that a leader has failed
	done     chan *task
	ended    chan inputEnd

	// The rest is the writer's.
	buf       []byte
	tally     Tally
	nextIndex int           // the index that is written next, where order is kept
	early     map[int]*task // answers that have come too early
	lastWrite time.Time     // when it last had nothing more to write
}

func newRunner(ctx context.Context, stop context.CancelCauseFunc, crew Asker, o Options) *runner {
	room := aheadPerJob * crew.Size()
	r := &runner{
		Options: o, who: crew.Identity(), ctx: ctx, stop: stop,
		inFlight: make(chan struct{}, room), ask: make(chan *task, room), retry: make(chan *task, room),
		done: make(chan *task, room), ended: make(chan inputEnd, 1),
		replaying: newReplayQueue(ctx),
		early:     map[int]*task{},
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

// acquire waits for a place for one more task.
func (r *runner) acquire() bool {
	select {
	case r.inFlight <- struct{}{}:
		return true
	case <-r.ctx.Done():
		return false
	}
}

// release gives a place back.
func (r *runner) release() { <-r.inFlight }

// write writes answers until there are as many as the input has positions.
func (r *runner) write(sink Sink) error {
	end := inputEnd{positions: -1}
	for end.positions != r.tally.Done {
		select {
		case t := <-r.done:
			if err := r.writeAvailable(sink, t); err != nil {
				return err
			}
		case end = <-r.ended:
		case <-r.ctx.Done():
			r.workers.Wait() // what they have found out by now counts
			if err := r.drain(sink); err != nil {
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
	if r.OnEnd != nil {
		r.OnEnd(end.sum)
	}
	return nil
}

// writeInterval is the shortest time between two wakings of the writer while positions are under
// way. To wake it for every answer would cost a fast crew more time than to write it.
const writeInterval = time.Millisecond

// writeAvailable takes an answer and all others that are there. Where others are under way and the
// writer was busy a moment ago, it lets some come first. Where this is the only one, whoever
// wrote its position may wait for the answer before the next, so it is written at once.
func (r *runner) writeAvailable(sink Sink, t *task) error {
	if len(r.inFlight) > 1 {
		time.Sleep(writeInterval - time.Since(r.lastWrite))
	}
	for {
		if err := r.writeInOrder(sink, t); err != nil {
			return err
		}
		select {
		case t = <-r.done:
			continue
		default:
		}
		r.lastWrite = time.Now()
		return nil
	}
}

// drain writes what is there after the run has been broken off, which may be all that
// was missing.
func (r *runner) drain(sink Sink) error {
	for {
		select {
		case t := <-r.done:
			if err := r.writeInOrder(sink, t); err != nil {
				return err
			}
		default:
			return nil
		}
	}
}

// writeInOrder writes an answer, or puts it aside until its turn comes.
func (r *runner) writeInOrder(sink Sink, t *task) error {
	if r.Unordered {
		return r.logAndWrite(sink, t)
	}
	r.early[t.index] = t
	for {
		t, ok := r.early[r.nextIndex]
		if !ok {
			return nil
		}
		if err := r.logAndWrite(sink, t); err != nil {
			return err
		}
		delete(r.early, r.nextIndex)
		r.nextIndex++
	}
}

// logAndWrite logs an answer, then writes it.
func (r *runner) logAndWrite(sink Sink, t *task) error {
	if r.Strict && t.reply.Err != nil {
		return &StrictError{Item: t.item, Err: t.reply.Err}
	}
	if err := r.appendToLog(t); err != nil {
		return fmt.Errorf("log: %w", err)
	}
	if err := r.writeAnswer(sink, t); err != nil {
		return err
	}
	r.release()
	if r.OnRecovered != nil && t.reply.Recovered != nil && !t.equal {
		r.OnRecovered(t.item, t.reply.Recovered)
	}
	if r.OnProgress != nil {
		r.OnProgress(r.tally)
	}
	return nil
}

// writeAnswer writes an answer and counts it.
func (r *runner) writeAnswer(sink Sink, t *task) error {
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
		Done: 1, Failed: boolToInt(a.Err != nil), Scored: boolToInt(scored), Solved: boolToInt(solved),
		Cached: boolToInt(t.reply.Cached && !t.equal), Equal: boolToInt(t.equal),
	}
}

func boolToInt(is bool) int {
	if is {
		return 1
	}
	return 0
}

// appendToLog appends an answer to the log.
func (r *runner) appendToLog(t *task) (err error) {
	if r.Log == nil {
		return nil
	}
	e := entry{index: t.index, sum: t.sum, equal: t.equal, cached: t.reply.Cached && !t.equal}
	leader := t.leader
	switch {
	case !t.needsEngine:
	case t.logged:
		e.ref = t.ref
	case t.equal && leader != nil && leader.logged:
		e.ref = leader.ref
	default: // an equal one may come before its leader where order is not kept
		e.key, e.reply = t.key, &t.reply
	}
	r.buf = e.append(r.buf[:0])
	if t.ref, err = r.Log.Append(r.buf); err != nil {
		return err
	}
	t.logged = true
	if t.isLeader {
		r.memo.store(t.key, t.ref)
	}
	return nil
}
