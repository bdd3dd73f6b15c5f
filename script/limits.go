package script

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"runtime/metrics"
	"sync/atomic"
	"time"

	"go.starlark.net/starlark"
)

// Limits bound a script. Zeros: no limit on steps and time, DefaultMemory.
type Limits struct {
	Steps  int64         // of the interpreter, of all its threads together
	Time   time.Duration // of a run
	Memory int64         // bytes that it may hold
}

// DefaultMemory is how much memory a script may hold, in bytes.
const DefaultMemory = 2 << 30

const (
	stepChunk  = 10_000               // steps that a thread takes from the pool at a time
	maxFrames  = 10_000               // calls within calls
	stackRoom  = 256 << 20            // bytes of stacks
	watchEvery = 5 * time.Millisecond // the heap is looked at so often
	// stopGrace is how long a script that is stopped may finish a function of Go's before
	// it is left alone with it.
	stopGrace = 40 * time.Millisecond
	// limitGrace is the same for one that has come to a limit: nobody waits for it.
	limitGrace = 5 * time.Second
)

// maxOvershoot is how many bytes beyond the limit are borne with, while a script ends that
// has come to it.
const maxOvershoot = 4 << 30

// ErrAbandoned is wrapped by the error of a script that was stopped within a function
// that cannot be broken off, such as str of very large data. Its goroutine still runs.
var ErrAbandoned = errors.New("it could not be broken off in what it was doing and is left behind")

// What ends a script that has come to a limit and may take a moment for it.
var (
	errMemory = errors.New("out of memory")
	errTime   = errors.New("out of time")
)

// runLimits are the limits of one run with what has been used of them.
type runLimits struct {
	limits  Limits
	steps   atomic.Int64 // left
	maxHeap uint64       // bytes on the heap, with what was there before
	// maxStacks is for functions of the interpreter that go as deep as their data: Go
	// ends the process when a stack is too large.
	maxStacks uint64
	ctx       context.Context
	cancel    context.CancelCauseFunc
}

func newRunLimits(ctx context.Context, limits Limits, cancel context.CancelCauseFunc) *runLimits {
	if limits.Memory == 0 {
		limits.Memory = DefaultMemory
	}
	if heap() > 128<<20 || startingStack() > 64<<10 {
		runtime.GC() // garbage and deep calls of before are not the script's
	}
	b := &runLimits{limits: limits, maxHeap: heap() + uint64(limits.Memory), maxStacks: stacks() + stackRoom, ctx: ctx, cancel: cancel}
	b.steps.Store(math.MaxInt64)
	if limits.Steps > 0 {
		b.steps.Store(limits.Steps)
	}
	return b
}

// takeSteps takes steps from the pool; 0 if it is empty.
func (b *runLimits) takeSteps() uint64 {
	for {
		left := b.steps.Load()
		n := min(left, stepChunk)
		if n <= 0 {
			return 0
		}
		if b.steps.CompareAndSwap(left, left-n) {
			return uint64(n)
		}
	}
}

// giveSteps gives back what a thread has taken and not used.
func (b *runLimits) giveSteps(taken, used uint64) {
	if taken > used {
		b.steps.Add(int64(taken - used))
	}
}

func (b *runLimits) stepsError() error {
	return fmt.Errorf("too many steps: the limit is %d (-max-steps)", b.limits.Steps)
}

// refill is called when a thread has used its steps.
func (t *task) refill(thread *starlark.Thread) {
	if thread.CallStackDepth() > maxFrames {
		t.stop(thread, fmt.Errorf("the calls are nested over %d deep: is there a recursion without end?", maxFrames))
		return
	}
	n := t.run.takeSteps()
	if n == 0 {
		t.stop(thread, t.run.stepsError())
		return
	}
	t.taken += n
	thread.SetMaxExecutionSteps(t.taken)
}

// heap returns the size in bytes of what is on the heap, garbage included.
func heap() uint64 { return measure("/memory/classes/heap/objects:bytes") }

// stacks returns the size in bytes of all stacks.
func stacks() uint64 { return measure("/memory/classes/heap/stacks:bytes") }

// startingStack returns the size in bytes of a new goroutine's stack.
func startingStack() uint64 { return measure("/gc/stack/starting-size:bytes") }

func measure(name string) uint64 {
	sample := []metrics.Sample{{Name: name}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

// watch stops the run when it holds too much memory. It ends with the context.
func (b *runLimits) watch(ctx context.Context) {
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
			b.cancel(errDeepStack)
		case used > b.maxHeap+uint64(b.limits.Memory):
			b.cancel(b.outOfMemory()) // garbage is never as much as that
		case used > b.maxHeap && busy.CompareAndSwap(false, true):
			// It may be garbage. To find out takes a while, in which the watch goes on.
			go func() {
				defer busy.Store(false)
				runtime.GC()
				if heap() > b.maxHeap {
					b.cancel(b.outOfMemory())
				}
			}()
		}
	}
}

// tooDeep reports whether the stacks are too large. After deep calls the runtime gives new
// goroutines large stacks too, which say nothing of how deep those are.
func (b *runLimits) tooDeep() bool {
	used := stacks()
	if used <= b.maxStacks {
		return false
	}
	given := uint64(runtime.NumGoroutine()) * startingStack()
	return used > b.maxStacks+min(given, 2*stackRoom)
}

var errDeepStack = errors.New("the data is nested too deep for what is done with it")

func (b *runLimits) outOfMemory() error {
	return fmt.Errorf("%w: the script holds over %s (-max-memory)", errMemory, bytesText(b.limits.Memory))
}

// checkSize returns an error if a value of so many bytes is larger than the memory that is left.
// It is asked before a value is made that could be too large at once.
func (b *runLimits) checkSize(what string, size float64) error {
	const always = 1 << 20
	if size <= always {
		return nil
	}
	if size <= b.available() {
		return nil
	}
	runtime.GC() // there may be garbage in the way
	if size <= b.available() {
		return nil
	}
	return fmt.Errorf("%s: the result would need %s, and the script may hold %s (-max-memory)",
		what, bytesText(int64(min(size, math.MaxInt64/2))), bytesText(b.limits.Memory))
}

// available returns how many bytes are left.
func (b *runLimits) available() float64 { return float64(b.maxHeap) - float64(heap()) }

// bytesText returns a size for a person.
func bytesText(n int64) string {
	units := []string{"bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"}
	size, unit := float64(n), 0
	for size >= 1024 && unit < len(units)-1 {
		size, unit = size/1024, unit+1
	}
	return fmt.Sprintf("%.4g %s", size, units[unit])
}

// runLimited runs body in a goroutine of its own, and goes away without it if it does not
// stop when it has to.
func (e *Env) runLimited(ctx context.Context, name string, body func(*task) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	if limit := e.opts.Limits.Time; limit > 0 {
		var stop context.CancelFunc
		ctx, stop = context.WithTimeoutCause(ctx, limit, fmt.Errorf("%w: the limit is %v (-max-time)", errTime, limit))
		defer stop()
	}
	b := newRunLimits(ctx, e.opts.Limits, cancel)
	e.running.Store(b)
	t := &task{ctx: ctx, env: e, run: b, scope: e.scope, out: e.console}
	done := make(chan error, 1)
	watched := make(chan struct{})
	go func() {
		defer close(watched)
		b.watch(ctx)
	}()
	go func() {
		err := t.explain(protect(func() error { return body(t) }))
		var placed *Error
		if errors.Is(err, errInternal) && !errors.As(err, &placed) {
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

// stopping reports whether the run under way has to end. Values that outlive the run in
// which they were made ask it.
func (e *Env) stopping() bool {
	b := e.running.Load()
	return b != nil && b.ctx.Err() != nil
}

// await waits for the end of a run.
func (b *runLimits) await(ctx context.Context, name string, done <-chan error) error {
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
	}
	cause := context.Cause(ctx)
	ticker := time.NewTicker(watchEvery)
	defer ticker.Stop()
	for begun := time.Now(); time.Since(begun) < graceOf(cause) && heap() < b.maxHeap+maxOvershoot; {
		select {
		case err := <-done:
			return err
		case <-ticker.C:
		}
	}
	return &Error{Pos: name, Err: fmt.Errorf("%w; %w", cause, ErrAbandoned)}
}

// graceOf returns how long a script may go on with what cannot be broken off.
func graceOf(cause error) time.Duration {
	if errors.Is(cause, errMemory) || errors.Is(cause, errTime) {
		return limitGrace
	}
	return stopGrace
}

// errInternal is the error of a panic. There should be none.
var errInternal = errors.New("internal error")

// protect turns a panic into an error.
func protect(body func() error) (err error) {
	defer func() {
		if x := recover(); x != nil {
			err = fmt.Errorf("%w: %v", errInternal, x)
		}
	}()
	return body()
}
