package batch

import (
	"context"
	"errors"
	"fmt"
	"io"

	"qhsh/engine"
)

// Options are how positions are run through a Crew.
type Options struct {
	// Unordered has answers written as they come, not in the order of the input.
	Unordered bool
	// Strict has the first answer with an Err end the run, with a *StrictError. That answer
	// is not written.
	Strict bool
	// NoDedup has equal positions searched again and again.
	NoDedup bool
	// Shard is the part of the positions that are asked about.
	Shard Shard
	// Log, if not nil, gets a record of every answer before it is written. If it holds some already,
	// the run is resumed: it writes their answers first.
	Log Log
	// OnResumed, if not nil, is called when the answers that the Log holds have been written, with
	// their tally. The positions behind damage to the Log are asked about again.
	OnResumed func(t Tally, damaged bool)
	// OnEnd, if not nil, is called when all of the input has been answered, with its sum, see Sum.
	OnEnd func(sum uint32)
	// OnRecovered, if not nil, is told what the engine did at a position that it has answered when it
	// was asked once more. It is called as Progress is.
	OnRecovered func(Item, error)
	// OnProgress, if not nil, is told after every answer has been written. It is called by
	// one goroutine at a time and holds up the run while it runs.
	OnProgress func(Tally)
}

// A Tally is how far a run has come.
type Tally struct {
	Done   int // answers written, errors among them
	Failed int // answers with an Err
	Scored int // answers that can be right or wrong
	Solved int // those that are right
	Cached int // answers that a cache has known
	Equal  int // answers that an equal position before has had
}

// Plus is the sum of two tallies.
func (t Tally) Plus(u Tally) Tally {
	return Tally{
		t.Done + u.Done, t.Failed + u.Failed, t.Scored + u.Scored,
		t.Solved + u.Solved, t.Cached + u.Cached, t.Equal + u.Equal,
	}
}

// A StrictError is the failure that ends a run that is strict.
type StrictError struct {
	Item Item
	Err  error
}

func (e *StrictError) Error() string { return fmt.Sprintf("%s: %v", Location(e.Item), e.Err) }

// Unwrap is the failure.
func (e *StrictError) Unwrap() error { return e.Err }

// ErrOtherInput is wrapped by the error of an input that is not the one of the run in the Log.
var ErrOtherInput = errors.New("input differs from the run being resumed")

// aheadPerJob bounds how many positions are read ahead of the one that is written
// next, so that one slow position holds up the other engines late.
const aheadPerJob = 64

var errChance = errors.New("chance moves next, so there is no move to choose")

// Run asks a crew about every position of src and writes the answers to sink. It ends at the
// end of src, or with the error of the Source, the Sink, the Log or the Crew, or with the
// cause of the context's end; what was finished in order has been written by then, and nobody
// is being asked any more. A Next of src that is under way when a run is broken off is not
// waited for; src is closed after it if it is an io.Closer. The tally counts from the very
// beginning, also of a run that is resumed.
func Run(ctx context.Context, src Source, sink Sink, crew Asker, o Options) (Tally, error) {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	r := newRunner(ctx, stop, crew, o)
	go r.read(src)
	err := r.replay(sink)
	if err == nil {
		r.work(crew)
		err = r.write(sink)
	}
	stop(err)
	r.workers.Wait()
	return r.tally, err
}

// task is a position on its way.
type task struct {
	index       int
	sum         uint32
	item        Item
	needsEngine bool // somebody had to be asked
	key         Key
	reply       Reply
	over        string // the game is over
	equal       bool   // the reply is that of an equal position
	logged      bool   // the reply is in the Log
	ref         int64  // where

	// The rest belongs to the memo.
	isLeader  bool
	leader    *task // whose reply it has, unless that was kept before
	answered  bool
	followers []*task
}

// answer is what is written of a task.
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
	sum   uint32 // of them
	n     int    // tasks
}

// next returns the task of the next position of the shard.
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

// read reads tasks until the input ends: first those that the replay asks for, then those that it
// has left, then all others.
func (r *runner) read(src Source) {
	defer closeSource(src)
	in := taskReader{src: src, shard: r.Shard}
	t, err := in.next()
	for err == nil && r.replaying.offer(t) {
		t, err = in.next()
	}
	for _, left := range r.replaying.remaining(err) {
		if !r.acquire() || !r.dispatch(left) {
			return
		}
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

// inputEnd is the end of the input, or its error, behind so many positions.
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

// dispatch sends a task to where it is answered.
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

// classify reports whether an engine has to be asked. If not, the task is answered.
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

// work asks the crew.
func (r *runner) work(crew Asker) {
	for range crew.Size() {
		r.workers.Go(func() {
			for t := r.next(); t != nil; t = r.next() {
				reply, err := crew.Ask(r.ctx, t.item.Pos)
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

// next is a task about which somebody has to be asked; nil when the run has ended.
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

// finish hands on an answered task with those that waited for it.
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
