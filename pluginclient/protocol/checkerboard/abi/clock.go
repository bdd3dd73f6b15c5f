package abi

import (
	"time"

	"qhsh/engine"
)

// The bits of getmove's parameter info.
const (
	Reset = 1 << 0 // the position does not continue the game of the last call
	Exact = 1 << 1 // use exactly the given time
)

// Bits 2 and 3 of info are the unit of an incremental time control: an index into clockUnits, and 0
// without such a time control. CheckerBoard's document gives these bits another meaning, which
// CheckerBoard has never used; its header cb_interface.h defines this one.
const (
	unitShift = 2
	unitMask  = 3
)

// maxTicks is the longest time in units: moreinfo has 16 bits for each of its two times.
const maxTicks = 1<<16 - 1

var clockUnits = [...]time.Duration{0, time.Millisecond, 10 * time.Millisecond, 100 * time.Millisecond}

// ClockInfo returns the bits of info and the value of moreinfo for a clock, in the finest unit in
// which both of its times fit. Longer times become the longest one that fits. The zero Clock
// returns zeros.
func ClockInfo(c engine.Clock) (info, moreinfo int32) {
	if c == (engine.Clock{}) {
		return 0, 0
	}
	unit := 1
	for unit < len(clockUnits)-1 && max(c.Left, c.Increment) > maxTicks*clockUnits[unit] {
		unit++
	}
	ticks := func(d time.Duration) uint32 { return uint32(min(max(d/clockUnits[unit], 0), maxTicks)) }
	return int32(unit) << unitShift, int32(ticks(c.Left)<<16 | ticks(c.Increment))
}

// ClockOf returns the clock in info and moreinfo. ok reports whether there is one.
func ClockOf(info, moreinfo int32) (c engine.Clock, ok bool) {
	unit := clockUnits[info>>unitShift&unitMask]
	ticks := func(n int32) time.Duration { return time.Duration(uint16(n)) * unit }
	return engine.Clock{Left: ticks(moreinfo >> 16), Increment: ticks(moreinfo)}, unit != 0
}
