package batch

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// runner is a run in progress. Every position is a task that goes from the reader through ask to a
// worker, unless it needs no search, and through done to the writer. inFlight bounds the tasks; the
// channels have the same capacity, so sending to done and retry never blocks.
type runner struct {
	Options
	who  Reply
	memo *memo // nil: equal positions are searched again

	tasks  chan *task // of the input; closed at its end or that of the run
	unused []*task    // those that the replay has read and not used

	ctx      context.Context
	workers  sync.WaitGroup
	inFlight chan struct{}
	ask      chan *task
	retry    chan *task // tasks whose leader failed
	done     chan *task
	ended    chan inputEnd // has one if the input ends before the run

	// The remaining fields belong to the writer.
	buf       []byte
	tally     Tally
	nextIndex int           // the index to write next, if the order is kept
	early     map[int]*task // answers that arrived before their turn
	lastWrite time.Time     // when it last had nothing more to write
}

func newRunner(ctx context.Context, asker Asker, o Options) *runner {
	room := min(aheadPerJob*asker.Size(), max(maxInFlight, 2*asker.Size()))
	r := &runner{
		Options: o, who: asker.Identity(), ctx: ctx,
		inFlight: make(chan struct{}, room), ask: make(chan *task, room), retry: make(chan *task, room),
		done: make(chan *task, room), ended: make(chan inputEnd, 1),
		tasks: make(chan *task), early: map[int]*task{},
	}
	r.who.Hints = nil
	if !o.NoDedup {
		if r.Log == nil {
			r.Log = &memLog{halfSize: memLogSize / 2}
		}
		r.memo = &memo{log: r.Log, index: &index{}, leaders: map[Key]*task{}}
	}
	return r
}

func (r *runner) acquire() bool {
	select {
	case r.inFlight <- struct{}{}:
		return true
	case <-r.ctx.Done():
		return false
	}
}

// write writes answers until the input's last position.
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
			r.workers.Wait()                      // their finished replies count
			if err := r.drain(sink); err != nil { // which may complete the run
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

// writeInterval is the shortest time between two wake-ups of the writer while positions are in
// flight. With fast engines a wake-up per answer costs more than writing it.
const writeInterval = time.Millisecond

// writeAvailable writes an answer and all others that are ready. If others are in flight and the
// writer was busy a moment ago, it waits for some of them first. A lone answer is written at once,
// since whoever sent the position may wait for it before sending the next.
func (r *runner) writeAvailable(sink Sink, t *task) error {
	if len(r.inFlight) > 1 {
		time.Sleep(writeInterval - time.Since(r.lastWrite))
	}
	err := r.writeInOrder(sink, t)
	if err == nil {
		err = r.drain(sink)
	}
	r.lastWrite = time.Now()
	return err
}

// drain writes the answers that are ready.
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

// writeInOrder writes an answer, or keeps it until its predecessors are written.
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
	<-r.inFlight
	if r.OnRecovered != nil && t.reply.Recovered != nil && !t.equal {
		r.OnRecovered(t.item, t.reply.Recovered)
	}
	if r.OnFailed != nil && t.reply.Err != nil {
		r.OnFailed(t.item, t.reply.Err)
	}
	if r.OnProgress != nil {
		r.OnProgress(r.tally)
	}
	return nil
}

// writeAnswer writes an answer and counts it. The error may be ErrEnough.
func (r *runner) writeAnswer(sink Sink, t *task) error {
	a := Answer{
		Item: t.item, Engine: t.reply.Engine, Spec: t.reply.Spec, Limits: t.reply.Limits,
		Hints: t.reply.Hints, Found: t.reply.Found, Over: t.over, Err: t.reply.Err,
	}
	if a.Err == nil {
		a.Ending = r.Known.Ending(a.Pos)
	}
	err := sink.Write(a)
	if err != nil && !errors.Is(err, ErrEnough) {
		return fmt.Errorf("output: %w", err)
	}
	solved, scored := a.Solved()
	r.tally = r.tally.Plus(Tally{
		Done: 1, Failed: boolToInt(a.Err != nil), Scored: boolToInt(scored), Solved: boolToInt(solved),
		Cached: boolToInt(t.reply.Cached && !t.equal), Equal: boolToInt(t.equal),
	})
	return err
}

func boolToInt(is bool) int {
	if is {
		return 1
	}
	return 0
}

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
	default: // unordered, an equal task may come before its leader
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
