package attach

import (
	"fmt"
	"math"

	"qhsh/engine/xiangqi/search"
)

// A table that the machine has no memory for ends the whole program, and one that has
// nearly all of it makes the machine crawl. So the tables of the embedded engines have at
// most three quarters of it.

// mostHash is the largest table, in MiB, of a machine with so many bytes of memory; 0 bytes:
// it is not known how many.
func mostHash(memory uint64) int {
	if memory == 0 {
		return search.MaxHash
	}
	usable := min(memory, math.MaxInt) / 4 * 3 // no more than a pointer reaches
	return int(max(1, min(search.MaxHash, usable>>20)))
}

// checkHash tells why a table of so many MiB is too large for a machine with so many bytes
// of memory; nil if it is not. Where the machine bounds nothing the engine does.
func checkHash(mebibytes int, memory uint64) error {
	most := mostHash(memory)
	if mebibytes <= most || most == search.MaxHash {
		return nil
	}
	return fmt.Errorf("hash=%d: this machine has %d MiB of memory, of which a table may have three quarters: give at most hash=%d",
		mebibytes, memory>>20, most)
}

// memory is how much the machine has, in bytes; 0 if it is not known.
func (o Options) memory() uint64 {
	if o.Memory > 0 {
		return o.Memory
	}
	return machineMemory()
}
