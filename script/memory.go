package script

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"
	"sync/atomic"
)

// DefaultMemory is the default memory limit of a script in bytes.
const DefaultMemory = 2 << 30

// errMemory ends a script that uses too much memory.
var errMemory = errors.New("out of memory")

// memory is the memory limit of a run, for all its threads together.
type memory struct {
	ctx     context.Context
	cancel  context.CancelCauseFunc
	limit   int64         // bytes
	maxHeap uint64        // heap size in bytes, including what was there before the run
	used    atomic.Uint64 // heap size when it was last read

	collecting sync.Mutex
}

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
	if m.collect(m.maxHeap) {
		return nil
	}
	err := m.outOfMemory()
	m.cancel(err)
	return err
}

// collect frees garbage and reports whether at most most bytes are left. What other threads allocate
// during a collection counts as used until the next one.
func (m *memory) collect(most uint64) bool {
	m.collecting.Lock()
	defer m.collecting.Unlock()
	if m.read() <= most { // another thread has freed it
		return true
	}
	for range 2 {
		runtime.GC()
		if min(m.read(), live()) <= most {
			return true
		}
	}
	return false
}

func (m *memory) outOfMemory() error {
	return fmt.Errorf("%w: the script uses more than %s (-max-memory)", errMemory, bytesText(m.limit))
}

// OutOfMemory returns the error of a script at a path that has got no more memory from the system.
func OutOfMemory(path string, limit int64) error {
	if path == stdinName {
		path = typedScript
	}
	return &Error{Pos: path, Err: (&memory{limit: limit}).outOfMemory()}
}

// heap returns the size of the heap in bytes, including garbage.
func heap() uint64 { return measure("/memory/classes/heap/objects:bytes") }

// live returns the size of the heap in bytes after the latest collection.
func live() uint64 { return measure("/gc/heap/live:bytes") }

// stacks returns the size of all stacks in bytes.
func stacks() uint64 { return measure("/memory/classes/heap/stacks:bytes") }

// startingStack returns the size of a new goroutine's stack in bytes.
func startingStack() uint64 { return measure("/gc/stack/starting-size:bytes") }

func measure(name string) uint64 {
	sample := []metrics.Sample{{Name: name}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

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
	want := min(int64(measure("/memory/classes/total:bytes")-measure("/memory/classes/heap/released:bytes"))+more, l.before)
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
