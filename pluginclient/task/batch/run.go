package batch

import (
	"context"
	"errors"
	"fmt"
	"io"

	"qhsh/engine"
)

// Options configure a run.
type Options struct {
	// Unordered writes answers as they arrive, not in input order.
	Unordered bool
	// Strict ends the run with a *StrictError at the first answer with an Err. That answer is not
	// written.
	Strict bool
	// NoDedup searches equal positions again.
	NoDedup bool
	// Shard selects part of the positions.
	Shard Shard
	// Log, if not nil, records every answer before it is written. If it holds records already, the
	// run is resumed: their answers are written first.
	Log Log
	// Known sets the Ending of answers.
	Known engine.Known
	// OnResumed, if not nil, is called with the tally after the answers in the Log have been
	// written. Positions after damage to the Log are searched again.
	OnResumed func(t Tally, damaged bool)
	// OnEnd, if not nil, is called with the input's checksum when all of it has been answered, see
	// Checksum. It is not called if the Sink had enough before.
	OnEnd func(sum uint32)
	// OnRecovered, if not nil, is called with the first failure at a position that a retry has
	// answered. It is called as OnProgress is.
	OnRecovered func(Item, error)
	// OnFailed, if not nil, is called with the Err of an answer that has one, unless it ends a strict
	// run. It is called as OnProgress is.
	OnFailed func(Item, error)
	// OnProgress, if not nil, is called after every answer that is written, from one goroutine at a
	// time. The run waits for it.
	OnProgress func(Tally)
}

// A Tally counts the progress of a run.
type Tally struct {
	Done   int // answers written, errors among them
	Failed int // answers with an Err
	Scored int // answers that can be right or wrong
	Solved int // those that are right
	Cached int // answers from a cache
	Equal  int // answers copied from an earlier equal position
}

// Plus returns the sum of two tallies.
func (t Tally) Plus(u Tally) Tally {
	return Tally{
		t.Done + u.Done, t.Failed + u.Failed, t.Scored + u.Scored,
		t.Solved + u.Solved, t.Cached + u.Cached, t.Equal + u.Equal,
	}
}

// A StrictError is the failure that ends a strict run.
type StrictError struct {
	Item Item
	Err  error
}

func (e *StrictError) Error() string { return fmt.Sprintf("%s: %v", Location(e.Item), e.Err) }

// Unwrap returns the failure.
func (e *StrictError) Unwrap() error { return e.Err }

// ErrOtherInput is wrapped by the error of an input that differs from that of the run in the Log.
var ErrOtherInput = errors.New("input differs from the run being resumed")

// aheadPerJob bounds how far reading runs ahead of writing, so that one slow position does not soon
// stall the other engines.
const aheadPerJob = 64

// maxInFlight bounds the same for an Asker of many jobs, such as a cluster, unless it needs more.
const maxInFlight = 1 << 16

var errChance = errors.New("chance moves next, so there is no move to choose")

// Run searches every position of src and writes the answers to sink. It ends at the end of src, when
// the sink has enough, with the error of the Source, Sink, Log or Asker, or with the cause of the
// context's end; what was finished in order has been written by then, and no search is running. When
// a run is cancelled it does not wait for a pending src.Next; src is closed after it if it is an
// io.Closer. The tally includes the answers of a resumed run's log.
func Run(ctx context.Context, src Source, sink Sink, asker Asker, o Options) (Tally, error) {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	r := newRunner(ctx, asker, o)
	go r.read(src)
	err := r.replay(sink)
	if err == nil {
		r.workers.Go(r.dispatchAll)
		for range asker.Size() {
			r.workers.Go(func() {
				for t := r.next(); t != nil; t = r.next() {
					reply, err := asker.Ask(ctx, t.item.Pos)
					if err != nil {
						stop(err)
						return
					}
					t.reply = reply
					r.finish(t)
				}
			})
		}
		err = r.write(sink)
	}
	stop(err)
	r.workers.Wait()
	if errors.Is(err, ErrEnough) {
		err = nil
	}
	return r.tally, err
}

// A task is a position in progress.
type task struct {
	index       int
	sum         uint32
	item        Item
	needsEngine bool // it was not answered without an engine
	key         Key
	reply       Reply
	over        string // the game is over
	equal       bool   // the reply is that of an equal position
	logged      bool   // the reply is in the Log
	ref         int64  // its reference

	// The remaining fields belong to the memo.
	isLeader  bool
	leader    *task // the task whose reply it has, unless the reply was in the log before
	answered  bool
	followers []*task
}

// read reads the tasks of the shard in a goroutine of its own: the input may be one that never has a
// next line.
func (r *runner) read(src Source) {
	defer closeSource(src)
	defer close(r.tasks)
	var end inputEnd
	for i := 0; ; i++ {
		item, err := src.Next()
		if err != nil {
			if err != io.EOF {
				end.err = err
			}
			r.ended <- end
			return
		}
		end.sum = extendChecksum(end.sum, item)
		if !r.Shard.has(i) {
			continue
		}
		select {
		case r.tasks <- &task{index: end.positions, sum: end.sum, item: item}:
			end.positions++
		case <-r.ctx.Done():
			return
		}
	}
}

// nextTask waits for a task of the input. It returns nil at the end of the input or the run.
func (r *runner) nextTask() *task {
	select {
	case t := <-r.tasks:
		return t
	case <-r.ctx.Done():
		return nil
	}
}

// dispatchAll dispatches the tasks that the replay has not used, and then those of the input.
func (r *runner) dispatchAll() {
	for _, t := range r.unused {
		if !r.acquire() || !r.dispatch(t) {
			return
		}
	}
	for {
		if t := r.nextTask(); t == nil || !r.acquire() || !r.dispatch(t) {
			return
		}
	}
}

// inputEnd is the end of the input, or its error, and the number of positions before.
type inputEnd struct {
	positions int
	sum       uint32
	err       error
}

func closeSource(src Source) {
	if closer, ok := src.(io.Closer); ok {
		_ = closer.Close() // it was only read
	}
}

// dispatch routes a task to whoever answers it.
func (r *runner) dispatch(t *task) (ok bool) {
	if t.needsEngine = r.classify(t); !t.needsEngine {
		r.done <- t
		return true
	}
	if r.memo != nil {
		t.key = KeyOf(t.item.Pos)
		switch r.memo.join(t) {
		case waitForLeader:
			return true
		case alreadyKnown:
			r.done <- t
			return true
		}
	}
	select {
	case r.ask <- t:
		return true
	case <-r.ctx.Done():
		return false
	}
}

// classify reports whether the task needs an engine. If not, it answers the task.
func (r *runner) classify(t *task) (ask bool) {
	switch item := t.item; {
	case item.Err != nil:
		t.reply.Err = item.Err
	case item.Pos.Turn() == engine.Chance:
		t.item.Err, t.reply.Err = errChance, errChance
	default:
		result := item.Pos.Result()
		if !result.Over() {
			return true
		}
		t.reply, t.over = r.who, result.Why()
	}
	return false
}

// next returns the next task to search; nil when the run has ended.
func (r *runner) next() *task {
	select {
	case t := <-r.retry:
		return t
	default:
	}
	select {
	case t := <-r.retry:
		return t
	case t := <-r.ask:
		return t
	case <-r.ctx.Done():
		return nil
	}
}

// finish passes on an answered task and those that waited for it.
func (r *runner) finish(t *task) {
	var followers []*task
	if r.memo != nil {
		var next *task
		if followers, next = r.memo.answered(t); next != nil {
			r.retry <- next
		}
	}
	r.done <- t
	for _, f := range followers {
		r.done <- f
	}
}
