package script

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"
	"sync/atomic"

	"go.starlark.net/starlark"
)

// DefaultMemory is the default memory limit of a script in bytes.
const DefaultMemory = 2 << 30

// large is the size in bytes from which on an operation checks the memory before it creates a value.
// Smaller values need no check, because the heap is read every stepChunk steps.
const large = 32 << 10

// errMemory ends a script that uses too much memory.
var errMemory = errors.New("out of memory")

// memory is the memory limit of a run, for all its threads together.
type memory struct {
	ctx     context.Context
	cancel  context.CancelCauseFunc
	limit   int64         // bytes
	maxHeap uint64        // heap size in bytes, including what was there before the run
	used    atomic.Uint64 // heap size when it was last read

	making     sync.Mutex // held while a large value is created, so that two do not use the same memory
	collecting sync.Mutex
}

func (m *memory) init(ctx context.Context, limit int64, cancel context.CancelCauseFunc) {
	m.ctx, m.cancel, m.limit = ctx, cancel, limit
	m.maxHeap = m.read() + uint64(limit)
}

// read reads the size of the heap.
func (m *memory) read() uint64 {
	used := heap()
	m.used.Store(used)
	return used
}

// slack is how many bytes above the limit are tolerated for garbage and for the old array of a
// growing list. Without it a nearly full heap would be collected all the time.
func (m *memory) slack() uint64 { return uint64(m.limit / 8) }

// chunk returns after how many steps the heap must be read again.
func (m *memory) chunk() int64 {
	if m.used.Load() > m.maxHeap-m.slack() {
		return stepChunk / 8
	}
	return stepChunk
}

// check cancels the run and returns an error if it uses too much memory.
func (m *memory) check() error {
	if m.ctx.Err() != nil {
		return context.Cause(m.ctx)
	}
	if used := m.read(); used <= m.maxHeap || used <= m.maxHeap+m.slack() && live() <= m.maxHeap {
		return nil
	}
	if m.collect(m.maxHeap + m.slack()) {
		return nil
	}
	err := m.outOfMemory()
	m.cancel(err)
	return err
}

// collect frees garbage and reports whether at most most bytes are left.
func (m *memory) collect(most uint64) bool {
	m.collecting.Lock()
	defer m.collecting.Unlock()
	if m.read() <= most { // another thread has freed it
		return true
	}
	runtime.GC()
	return m.read() <= most
}

func (m *memory) outOfMemory() error {
	return fmt.Errorf("%w: the script uses more than %s (-max-memory)", errMemory, bytesText(m.limit))
}

// checkSize returns an error if a value of size bytes does not fit into the remaining memory.
func (m *memory) checkSize(what string, size float64) error {
	if size < large {
		return nil
	}
	return m.room(what, size, float64(m.maxHeap)-float64(m.read()), m.maxHeap)
}

// grow is checkSize for a list or a dict that grows to size bytes. It is called for each element, so
// it reads the heap only if there may be too little memory.
func (m *memory) grow(what string, size float64) error {
	most := m.maxHeap + m.slack()
	if size < large || size <= float64(most)-float64(m.used.Load()) {
		return nil
	}
	// Tolerate a little garbage: otherwise each element would collect it near the limit.
	left := float64(most) - float64(max(live(), m.read()-min(m.slack()/2, m.used.Load())))
	return m.room(what, size, left, most)
}

func (m *memory) room(what string, size, left float64, most uint64) error {
	if m.ctx.Err() != nil {
		return context.Cause(m.ctx)
	}
	if size <= left || size <= float64(most) && m.collect(most-uint64(size)) {
		return nil
	}
	return m.refuse(what, size)
}

func (m *memory) refuse(what string, size float64) error {
	if size <= float64(m.limit) {
		return fmt.Errorf("%s: %w: another %s would exceed the script's limit of %s (-max-memory)", what, errMemory, bytesText(int64(size)), bytesText(m.limit))
	}
	return fmt.Errorf("%s: the result needs %s, more than the script's limit of %s (-max-memory)",
		what, bytesText(int64(min(size, math.MaxInt64/2))), bytesText(m.limit))
}

// value calls make to create a value of at most size bytes, if that fits into the remaining memory.
// make must not call functions of the script.
func (m *memory) value(what string, size float64, make func() (starlark.Value, error)) (starlark.Value, error) {
	if size < large {
		return make()
	}
	m.making.Lock()
	defer m.making.Unlock()
	if err := m.checkSize(what, size); err != nil {
		return nil, err
	}
	return make()
}

// heap returns the size of the heap in bytes, including garbage.
func heap() uint64 { return measure("/memory/classes/heap/objects:bytes") }

// live returns the size of the heap in bytes after the latest collection.
func live() uint64 { return measure("/gc/heap/live:bytes") }

// stacks returns the size of all stacks in bytes.
func stacks() uint64 { return measure("/memory/classes/heap/stacks:bytes") }

// startingStack returns the size of a new goroutine's stack in bytes.
func startingStack() uint64 { return measure("/gc/stack/starting-size:bytes") }

// resident returns the size in bytes of the memory that Go has obtained from the system.
func resident() uint64 {
	return measure("/memory/classes/total:bytes") - measure("/memory/classes/heap/released:bytes")
}

func measure(name string) uint64 {
	sample := []metrics.Sample{{Name: name}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

// bytesText formats a size.
func bytesText(n int64) string {
	units := []string{"bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"}
	size, unit := float64(n), 0
	for size >= 1024 && unit < len(units)-1 {
		size, unit = size/1024, unit+1
	}
	return fmt.Sprintf("%.4g %s", size, units[unit])
}

// softLimit is the soft memory limit of the Go runtime while scripts run. It makes the collector run
// before garbage exceeds what the scripts may use. All runs of the process share it.
var softLimit struct {
	sync.Mutex
	runs   int
	before int64 // the limit while no script runs
}

// tighten sets the soft limit to more bytes above the current use. It stays until the last script
// has ended.
func tighten(more int64) (loosen func()) {
	l := &softLimit
	l.Lock()
	defer l.Unlock()
	if l.runs++; l.runs == 1 {
		l.before = debug.SetMemoryLimit(-1)
	}
	want := min(int64(resident())+more, l.before)
	if now := debug.SetMemoryLimit(-1); l.runs == 1 || want > now {
		debug.SetMemoryLimit(want)
	}
	return func() {
		l.Lock()
		defer l.Unlock()
		if l.runs--; l.runs == 0 {
			debug.SetMemoryLimit(l.before)
		}
	}
}
