package script

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"strings"
	"sync/atomic"
	"time"

	"go.starlark.net/starlark"
)

// Limits are the resource limits of a script. Zero means no limit on steps and time, and
// DefaultMemory.
type Limits struct {
	Steps  int64         // interpreter steps of all threads together
	Time   time.Duration // of a run
	Memory int64         // in bytes
}

const (
	stepChunk  = 2000                 // steps that a thread takes from the pool at a time
	maxFrames  = 10_000               // maximum call depth
	stackRoom  = 256 << 20            // maximum size of all stacks in bytes
	watchEvery = 5 * time.Millisecond // interval of heap checks
	// limitGrace is stopGrace for a script that exceeded a limit.
	limitGrace = 5 * time.Second
)

// stopGrace is how long a stopped script may take to finish a Go function before it is abandoned.
var stopGrace = 40 * time.Millisecond

// maxOvershoot is how many bytes beyond the limit are tolerated while a script that exceeded it
// ends.
const maxOvershoot = 4 << 30

// ErrAbandoned is wrapped by the error of a script that was stopped within a function that cannot
// be interrupted, such as sorted of a very long list. Its goroutine is still running.
var ErrAbandoned = errors.New("the script could not be interrupted and is still running in the background")

// errTime ends a script that takes too long.
var errTime = errors.New("out of time")

// runLimits are the limits of one run and its use of them.
type runLimits struct {
	memory
	limits  Limits
	steps   atomic.Int64 // left
	workers atomic.Int64 // of pmap
	// maxStacks is for functions of the interpreter that recurse as deep as their data: Go
	// terminates the process if a stack grows too large.
	maxStacks uint64
}

func newRunLimits(ctx context.Context, limits Limits, cancel context.CancelCauseFunc) *runLimits {
	limits.Memory = cmp.Or(limits.Memory, DefaultMemory)
	if heap() > 32<<20 || startingStack() > 64<<10 {
		runtime.GC() // do not count garbage and stacks from before
	}
	b := &runLimits{limits: limits, maxStacks: stacks() + stackRoom}
	b.ctx, b.cancel, b.limit = ctx, cancel, limits.Memory
	b.maxHeap = b.read() + uint64(b.limit)
	b.steps.Store(math.MaxInt64)
	if limits.Steps > 0 {
		b.steps.Store(limits.Steps)
	}
	return b
}

func (b *runLimits) takeSteps() uint64 {
	for {
		left := b.steps.Load()
		n := min(left, b.chunk())
		if n <= 0 {
			return 0
		}
		if b.steps.CompareAndSwap(left, left-n) {
			return uint64(n)
		}
	}
}

func (b *runLimits) giveSteps(taken, used uint64) {
	if taken > used {
		b.steps.Add(int64(taken - used))
	}
}

// refill is called when a thread has used its steps.
func (t *task) refill(thread *starlark.Thread) {
	if thread.CallStackDepth() > maxFrames {
		t.stop(thread, fmt.Errorf("calls nested more than %d deep: infinite recursion?", maxFrames))
		return
	}
	if err := t.run.check(); err != nil {
		t.stop(thread, err)
		return
	}
	n := t.run.takeSteps()
	if n == 0 {
		t.stop(thread, fmt.Errorf("too many steps: the limit is %d (-max-steps)", t.run.limits.Steps))
		return
	}
	t.taken += n
	thread.SetMaxExecutionSteps(t.taken)
}

// watch stops the run if it uses twice as much memory as it may: unless it is within a long operation, the
// thread that creates values has noticed that before. It returns when ctx ends.
func (b *runLimits) watch(ctx context.Context) {
	twice := b.maxHeap + uint64(b.limit)
	ticker := time.NewTicker(watchEvery)
	defer ticker.Stop()
	var busy atomic.Bool
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		switch used := heap(); {
		case b.tooDeep():
			b.cancel(errors.New("data nested too deeply for this operation"))
		case used > twice && busy.CompareAndSwap(false, true):
			// It may be garbage. A collection takes a while, so watch continues meanwhile.
			go func() {
				defer busy.Store(false)
				if !b.collect(twice) {
					b.cancel(b.outOfMemory())
				}
			}()
		}
	}
}

// tooDeep reports whether the stacks are too large. After deep calls the runtime also gives new
// goroutines large stacks, which do not count.
func (b *runLimits) tooDeep() bool {
	used := stacks()
	if used <= b.maxStacks {
		return false
	}
	given := uint64(runtime.NumGoroutine()) * startingStack()
	return used > b.maxStacks+min(given, 2*stackRoom)
}

// runLimited runs body in its own goroutine, with a thread that loads modules from a folder, and abandons
// it if it does not stop when it must.
func (e *Env) runLimited(ctx context.Context, folder *scriptFolder, name string, body func(*starlark.Thread) error) error {
	defer folder.close()
	e.folder = folder
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	if limit := e.opts.Limits.Time; limit > 0 {
		var stop context.CancelFunc
		ctx, stop = context.WithTimeoutCause(ctx, limit, fmt.Errorf("%w: the limit is %v (-max-time)", errTime, limit))
		defer stop()
	}
	b := newRunLimits(ctx, e.opts.Limits, cancel)
	e.running.Store(b)
	defer tighten(b.limit + b.limit/5)()
	t := &task{ctx: ctx, env: e, run: b, scope: e.scope, out: e.console}
	done := make(chan error, 1)
	watched := make(chan struct{})
	go func() {
		defer close(watched)
		b.watch(ctx)
	}()
	go func() {
		err := t.explain(b.protect(func() error {
			thread, end := t.begin(name)
			defer end()
			thread.Load = folder.load
			if err := body(thread); err != nil {
				return err
			}
			return b.check() // of the last steps
		}))
		var placed *Error
		if (errors.Is(err, errInternal) || errors.Is(err, errMemory)) && !errors.As(err, &placed) {
			err = &Error{Pos: name, Err: err}
		}
		done <- err
	}()
	err := b.await(ctx, name, done)
	if err == nil && context.Cause(ctx) != nil {
		err = &Error{Pos: name, Err: context.Cause(ctx)}
	}
	cancel(nil)
	<-watched
	return err
}

// stopping reports whether the current run must end. It is for values that outlive the run that
// created them.
func (e *Env) stopping() bool {
	b := e.running.Load()
	return b != nil && b.check() != nil
}

func (b *runLimits) await(ctx context.Context, name string, done <-chan error) error {
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
	}
	cause, grace := context.Cause(ctx), stopGrace
	if errors.Is(cause, errMemory) || errors.Is(cause, errTime) {
		grace = limitGrace
	}
	ticker := time.NewTicker(watchEvery)
	defer ticker.Stop()
	for begun := time.Now(); time.Since(begun) < grace && heap() < b.maxHeap+maxOvershoot; {
		select {
		case err := <-done:
			return err
		case <-ticker.C:
		}
	}
	return &Error{Pos: name, Err: fmt.Errorf("%w; %w", cause, ErrAbandoned)}
}

// errInternal is the error of a panic, which is always a bug.
var errInternal = errors.New("internal error")

// protect converts a panic to an error. That of a value larger than any memory, such as
// list(range(1 << 50)), is the memory's.
func (m *memory) protect(body func() error) (err error) {
	defer func() {
		if x := recover(); x != nil {
			err = fmt.Errorf("%w: %v", errInternal, x)
			if text := fmt.Sprint(x); x == bytes.ErrTooLarge || strings.Contains(text, "makeslice: ") ||
				strings.Contains(text, "growslice: ") || strings.HasPrefix(text, "strings: ") {
				err = m.outOfMemory()
			}
		}
	}()
	return body()
}
