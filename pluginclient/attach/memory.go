package attach

import (
	"fmt"
	"math"
	"runtime/debug"
	"sync"

	"qhsh/engine/games"
)

// Allocating more memory than the machine has ends the program, and using nearly all of it makes the
// machine very slow. So the hash tables of all open embedded engines together get at most three
// quarters of the memory.

// maxHash returns the maximum size of the tables in MiB for a machine with the given memory in
// bytes. 0 means unknown, and then there is no limit.
func maxHash(memory uint64) int {
	if memory == 0 {
		return math.MaxInt
	}
	usable := min(memory, math.MaxInt) / 4 * 3 // no more than a pointer reaches
	return int(max(1, usable>>20))
}

// A memoryBudget counts the memory of the tables of open engines.
type memoryBudget struct {
	mu       sync.Mutex
	reserved int  // MiB
	released bool // a large table was released, and the runtime may still hold its memory
}

var tableMemory memoryBudget

// reserve reserves memory for the tables of an engine until giveBack is called, which may be called
// twice. It returns an error if the machine's memory is too small. A size outside the engine's own
// range is not counted, since the engine rejects it.
func (l *memoryBudget) reserve(e games.Engine, memory uint64) (giveBack func(), err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	limit, mebibytes := maxHash(memory), e.Memory
	switch {
	case mebibytes > e.MaxMemory && limit >= e.MaxMemory, mebibytes < 1:
		return func() {}, nil
	case mebibytes > limit:
		return nil, fmt.Errorf("hash=%d: this machine has %d MiB of memory, of which a table may have three quarters: give at most hash=%d",
			mebibytes, memory>>20, limit)
	case mebibytes > limit-l.reserved:
		return nil, fmt.Errorf("hash=%d: the engines that are open have tables of %d MiB, and all together may have %d, three quarters of this machine's memory: open fewer engines, or give each a smaller table",
			mebibytes, l.reserved, limit)
	}
	if l.released {
		debug.FreeOSMemory()
		l.released = false
	}
	l.reserved += mebibytes
	return sync.OnceFunc(func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.reserved -= mebibytes
		l.released = l.released || mebibytes >= largeTable
	}), nil
}

// largeTable is the size in MiB from which the memory of a released table is returned to the system
// before the next engine allocates its own.
const largeTable = 256

// memory returns the machine's memory in bytes, or 0 if unknown.
func (o Options) memory() uint64 {
	if o.Memory > 0 {
		return o.Memory
	}
	return machineMemory()
}
