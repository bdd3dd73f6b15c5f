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

// mostHash returns the maximum size of the tables in MiB for a machine with the given memory in
// bytes. 0 means unknown, and then there is no limit.
func mostHash(memory uint64) int {
	if memory == 0 {
		return math.MaxInt
	}
	usable := min(memory, math.MaxInt) / 4 * 3 // no more than a pointer reaches
	return int(max(1, usable>>20))
}

// A ledger counts the memory of the tables of open engines.
type ledger struct {
	mu       sync.Mutex
	given    int  // MiB
	returned bool // a large table was released, and the runtime may still hold its memory
}

// tables is the ledger of this process.
var tables ledger

// take reserves memory for the tables of an engine until giveBack is called, which may be called
// twice. It returns an error if the machine's memory is too small. A size outside the engine's own
// range is not counted, since the engine rejects it.
func (l *ledger) take(e games.Engine, memory uint64) (giveBack func(), err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	most, mebibytes := mostHash(memory), e.Memory
	switch {
	case mebibytes > e.MaxMemory && most >= e.MaxMemory, mebibytes < 1:
		return func() {}, nil
	case mebibytes > most:
		return nil, fmt.Errorf("hash=%d: this machine has %d MiB of memory, of which a table may have three quarters: give at most hash=%d",
			mebibytes, memory>>20, most)
	case mebibytes > most-l.given:
		return nil, fmt.Errorf("hash=%d: the engines that are open have tables of %d MiB, and all together may have %d, three quarters of this machine's memory: open fewer engines, or give each a smaller table",
			mebibytes, l.given, most)
	}
	if l.returned {
		debug.FreeOSMemory()
		l.returned = false
	}
	l.given += mebibytes
	return sync.OnceFunc(func() { l.giveBack(mebibytes) }), nil
}

// largeTable is the size in MiB from which the memory of a released table is returned to the system
// before the next engine allocates its own.
const largeTable = 256

func (l *ledger) giveBack(mebibytes int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.given -= mebibytes
	l.returned = l.returned || mebibytes >= largeTable
}

// memory returns the machine's memory in bytes, or 0 if unknown.
func (o Options) memory() uint64 {
	if o.Memory > 0 {
		return o.Memory
	}
	return machineMemory()
}
