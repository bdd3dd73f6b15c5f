package batch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"sync/atomic"

	"qhsh/engine"
	"qhsh/pluginclient"
)

// Options are how positions are run through engines.
type Options struct {
	// Open starts an engine. It is called before anything is read or written, so that an
	// engine that does not start is always found out, and then for each job more that gets
	// something to do, from several goroutines.
	Open func(ctx context.Context) (pluginclient.Session, error)
	// Jobs is how many engines work at the same time; 0: one.
	Jobs int
	// Limits are those of every search.
	Limits engine.Limits
	// Warn, if not nil, is told of an engine that could not be started again while others
	// go on. It is called from several goroutines.
	Warn func(warning string)
	// Progress, if not nil, is told after every answer has been written. It is called by
	// one goroutine at a time and holds up the run while it runs.
	Progress func(Tally)
}

// A Tally is how far a run has come.
type Tally struct {
	Done   int // answers written, errors among them
	Failed int // answers with an Err
}

// aheadPerJob bounds how many positions are read ahead of the one that is written
// next, so that one slow position holds up the other engines late.
const aheadPerJob = 64

var errChance = errors.New("chance moves next, so there is no move to choose")

// Run asks engines about every position of src and writes the answers to sink in the
// order of src. It ends at the end of src, or with the error of the Source, the Sink,
// the first engine's start or the last engine's failure to start again, or with the
// cause of the context's end; the engines are closed by then, and what was finished in
// order has been written. A Next of src that is under way when a run is broken off is
// not waited for; src is closed after it if it is an io.Closer.
func Run(ctx context.Context, src Source, sink Sink, o Options) (Tally, error) {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	jobs := max(o.Jobs, 1)
	r := &runner{
		Options: o, jobs: jobs, ctx: ctx, stop: stop,
		work:  make(chan *task),
		left:  make(chan *task, jobs),
		order: make(chan *task, aheadPerJob*jobs),
	}
	r.alive.Store(int64(jobs))
	first, err := o.Open(ctx)
	if err != nil {
		closeSource(src)
		return Tally{}, err
	}
	go r.read(src)
	var workers sync.WaitGroup
	for i := range jobs {
		var s pluginclient.Session
		if i == 0 {
			s = first
		}
		workers.Go(func() { r.answerAll(s) })
	}
	tally, err := r.write(sink)
	stop(err)
	workers.Wait()
	return tally, err
}

// runner is a run under way. Every position is a task, which goes to a worker through
// work and to the writer through order.
type runner struct {
	Options
	jobs  int          // how many there are
	alive atomic.Int64 // workers that have an engine, or may get one
	ctx   context.Context
	stop  context.CancelCauseFunc
	work  chan *task
	left  chan *task // those whose worker has gone; has room for one from each
	order chan *task
}

// task is a position on its way.
type task struct {
	item   Item
	err    error       // the Source's error; there is no item then
	answer chan Answer // has room for the answer
}

// read makes tasks until the input ends.
func (r *runner) read(src Source) {
	defer close(r.order)
	defer closeSource(src)
	for {
		item, err := src.Next()
		if err == io.EOF {
			return
		}
		if err == nil && item.Err == nil && item.Pos.Turn() == engine.Chance {
			item.Err = errChance
		}
		t := &task{item: item, err: err, answer: make(chan Answer, 1)}
		if !r.send(r.order, t) || err != nil {
			return
		}
		if item.Err != nil {
			t.answer <- Answer{Item: item, Err: item.Err}
			continue
		}
		if !r.send(r.work, t) {
			return
		}
	}
}

func closeSource(src Source) {
	if closer, ok := src.(io.Closer); ok {
		_ = closer.Close() // it was only read
	}
}

func (r *runner) send(to chan<- *task, t *task) bool {
	select {
	case to <- t:
		return true
	case <-r.ctx.Done():
		return false
	}
}

// write writes the answers in order.
func (r *runner) write(sink Sink) (Tally, error) {
	var tally Tally
	for {
		t := r.nextInOrder()
		if t == nil {
			return tally, context.Cause(r.ctx)
		}
		if t.err != nil {
			return tally, fmt.Errorf("input: %w", t.err)
		}
		a, ok := r.wait(t)
		if !ok {
			return tally, context.Cause(r.ctx)
		}
		if err := sink.Write(a); err != nil {
			return tally, fmt.Errorf("output: %w", err)
		}
		tally.Done++
		if a.Err != nil {
			tally.Failed++
		}
		if r.Progress != nil {
			r.Progress(tally)
		}
	}
}

// nextInOrder is the next task; nil at the end of the input, or if the run has been
// broken off and there is none.
func (r *runner) nextInOrder() *task {
	select {
	case t := <-r.order:
		return t
	default:
	}
	select {
	case t := <-r.order:
		return t
	case <-r.ctx.Done():
		return nil
	}
}

// wait waits for a task's answer. After the run has been broken off it takes only what
// is there.
func (r *runner) wait(t *task) (a Answer, ok bool) {
	select {
	case a := <-t.answer:
		return a, true
	default:
	}
	select {
	case a := <-t.answer:
		return a, true
	case <-r.ctx.Done():
		return Answer{}, false
	}
}
