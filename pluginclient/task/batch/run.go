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
	r := newRunner(ctx, stop, asker, o)
	go r.read(src)
	err := r.replay(sink)
	if err == nil {
		r.workers.Go(r.dispatchUnused)
		r.work(asker)
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

// answer returns the Answer of a task.
func (t *task) answer() Answer {
	return Answer{
		Item: t.item, Engine: t.reply.Engine, Spec: t.reply.Spec, Limits: t.reply.Limits,
		Hints: t.reply.Hints, Over: t.over, Err: t.reply.Err,
	}
}

// taskReader reads tasks from a Source.
type taskReader struct {
	src   Source
	shard Shard
	read  int    // positions
	sum   uint32 // of all positions read
	n     int    // tasks
}

// next returns the next task of the shard.
func (in *taskReader) next() (*task, error) {
	for {
		item, err := in.src.Next()
		if err != nil {
			return nil, err
		}
		in.sum = extendChecksum(in.sum, item)
		in.read++
		if in.shard.has(in.read - 1) {
			in.n++
			return &task{index: in.n - 1, sum: in.sum, item: item}, nil
		}
	}
}

// read reads tasks until the input ends: first those for the replay, then all others, which follow
// those that the replay has not used.
func (r *runner) read(src Source) {
	defer closeSource(src)
	in := taskReader{src: src, shard: r.Shard}
	t, err := in.next()
	for err == nil && r.replaying.offer(t) {
		t, err = in.next()
	}
	r.replaying.end(err)
	select {
	case <-r.replaying.emptied:
	case <-r.ctx.Done():
		return
	}
	for ; err == nil; t, err = in.next() {
		if !r.acquire() || !r.dispatch(t) {
			return
		}
	}
	if err == io.EOF {
		err = nil
	}
	r.ended <- inputEnd{in.n, in.sum, err}
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

// work starts the workers, which search.
func (r *runner) work(asker Asker) {
	for range asker.Size() {
		r.workers.Go(func() {
			for t := r.next(); t != nil; t = r.next() {
				reply, err := asker.Ask(r.ctx, t.item.Pos)
				if err != nil {
					r.stop(err)
					return
				}
				t.reply = reply
				r.finish(t)
			}
		})
	}
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
