package script

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"sync"

	"go.starlark.net/starlark"
)

const (
	// maxJobs is the maximum number of workers of pmap.
	maxJobs = 1024
	// maxWorkers is the maximum number of workers of all calls of pmap, one within the other. They have
	// stacks, which the memory limit does not include.
	maxWorkers = 2 * maxJobs
	// maxNested is how many calls of pmap may be one within the other.
	maxNested = 20
)

var pmapFunction = function("pmap(fn: Callable, items: Iterable, jobs: int = 0) -> list", `Calls fn for each item in parallel and returns the results in the order of the items. jobs is the number of workers, 0: the value of -jobs. Everything that fn can reach is frozen: the values of the variables that it or the functions it calls refer to, and their contents. So are the items: copy a board to change it. Each worker uses its own replica of an engine that fn uses. The output of print and emit comes in the order of the items. The first item that fails stops it with an error that names the item.`, runPmap)

func runPmap(t *task, fn starlark.Callable, items starlark.Iterable, jobs int) (starlark.Value, error) {
	jobs = cmp.Or(jobs, t.env.opts.Jobs)
	if jobs < 1 || jobs > maxJobs {
		return nil, fmt.Errorf("jobs %d: want 1 to %d", jobs, maxJobs)
	}
	if t.nested == maxNested {
		return nil, fmt.Errorf("calls nested more than %d deep: infinite recursion?", maxNested)
	}
	if n := starlark.Len(items); n >= 0 {
		jobs = min(jobs, max(n, 1))
	}
	if err := t.env.freeze(fn); err != nil {
		return nil, err
	}
	jobs, err := t.run.hire(jobs)
	if err != nil {
		return nil, err
	}
	defer t.run.workers.Add(-int64(jobs))
	ctx, cancel := context.WithCancel(t.ctx)
	p := &pool{caller: t, fn: fn, ctx: ctx, work: make(chan *job, 4*jobs)}
	var workers sync.WaitGroup
	for range jobs {
		workers.Go(p.worker)
	}
	defer func() { // the workers close their engines
		cancel()
		close(p.work)
		workers.Wait()
	}()
	iter := items.Iterate()
	defer iter.Done()
	return p.all(iter)
}

// hire returns how many workers a pmap gets that wants jobs: one if the run has many already.
func (b *runLimits) hire(jobs int) (int, error) {
	for {
		working := b.workers.Load()
		if working >= maxWorkers {
			return 0, fmt.Errorf("%d workers are busy, which is the maximum: use fewer jobs", maxWorkers)
		}
		n := min(int64(jobs), max(1, maxJobs-working))
		if b.workers.CompareAndSwap(working, working+n) {
			return int(n), nil
		}
	}
}

// A pool is a call of pmap.
type pool struct {
	caller *task
	fn     starlark.Callable
	ctx    context.Context // of the workers
	work   chan *job       // has room for all items in progress
}

// A job is an item.
type job struct {
	index int
	item  starlark.Value
	out   bytes.Buffer // its output
	value starlark.Value
	err   error
	done  chan struct{}
}

func (p *pool) worker() {
	s := newScope(p.caller.env)
	defer s.end(p.caller.ctx)
	for j := range p.work {
		if p.ctx.Err() == nil {
			p.run(s, j)
		}
		close(j.done)
	}
}

func (p *pool) run(s *scope, j *job) {
	t := &task{ctx: p.ctx, env: p.caller.env, run: p.caller.run, scope: s, out: &j.out, nested: p.caller.nested + 1}
	thread, end := t.begin("pmap")
	defer end()
	err := t.run.protect(func() (err error) {
		j.value, err = starlark.Call(thread, p.fn, starlark.Tuple{j.item}, nil)
		return err
	})
	if err != nil {
		j.err = fmt.Errorf("item %d (%s): %w", j.index, itemText(j.item), t.threadError(err))
	}
}

// all feeds the workers and collects the results in order.
func (p *pool) all(iter starlark.Iterator) (starlark.Value, error) {
	var waiting []*job
	var results []starlark.Value
	index, more := 0, true
	for {
		for more && len(waiting) < cap(p.work) {
			var item starlark.Value
			if more = iter.Next(&item); !more {
				break
			}
			if err := p.caller.env.freeze(item); err != nil {
				return nil, fmt.Errorf("item %d: %w", index, err)
			}
			j := &job{index: index, item: item, done: make(chan struct{})}
			waiting, index = append(waiting, j), index+1
			p.work <- j
		}
		if len(waiting) == 0 {
			return starlark.NewList(results), p.caller.stopped()
		}
		j := waiting[0]
		waiting = waiting[1:]
		if err := p.take(j); err != nil {
			return nil, err
		}
		results = append(results, j.value)
	}
}

func (p *pool) take(j *job) error {
	<-j.done
	if err := p.caller.stopped(); err != nil {
		if j.err != nil {
			return j.err
		}
		return err
	}
	if j.out.Len() > 0 {
		if _, err := p.caller.out.Write(j.out.Bytes()); err != nil {
			return bareError{err}
		}
	}
	return j.err
}

func itemText(v starlark.Value) string {
	switch v.(type) {
	case starlark.String, starlark.Int, starlark.Float, starlark.Bool, starlark.NoneType, hasClass:
		return cut(v.String(), 100)
	}
	return "a " + v.Type()
}
