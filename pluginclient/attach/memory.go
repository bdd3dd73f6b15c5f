package attach

import (
	"fmt"
	"math"
	"runtime/debug"
	"sync"

	"qhsh/engine/games"
)

// A table that the machine has no memory for ends the whole program, and one that has
// nearly all of it makes the machine crawl. So the tables of the embedded engines that are
// open at the same time have together at most three quarters of it.

// mostHash is how many MiB the tables may have on a machine with so many bytes of memory;
// 0 bytes: it is not known how many.
func mostHash(memory uint64) int {
	if memory == 0 {
		return math.MaxInt
	}
	usable := min(memory, math.MaxInt) / 4 * 3 // no more than a pointer reaches
	return int(max(1, usable>>20))
}

// A ledger is how much the tables of the engines that are open have.
type ledger struct {
	mu       sync.Mutex
	given    int  // MiB
	returned bool // something has been given back that the system may not have yet
}

// tables are those of this process.
var tables ledger

// take enters the tables of an engine, on a machine with so many bytes of memory, until
// giveBack, which may be called twice. The error tells why they are too large. What no engine
// takes, the engine refuses itself.
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

// largeTable is the least size in MiB of a table whose memory the next engine may need at once.
const largeTable = 256

func (l *ledger) giveBack(mebibytes int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.given -= mebibytes
	l.returned = l.returned || mebibytes >= largeTable
}

// memory is how much the machine has, in bytes; 0 if it is not known.
func (o Options) memory() uint64 {
	if o.Memory > 0 {
		return o.Memory
	}
	return machineMemory()
}
