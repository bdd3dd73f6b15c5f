package abi_test

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"qhsh/engine"
	"qhsh/pluginclient/protocol/checkerboard/abi"
)

// TestClockInfo compares clocks with the numbers of cb_interface.h, and what they are read as.
func TestClockInfo(t *testing.T) {
	for _, c := range []struct {
		given          engine.Clock
		info, moreinfo int32
		read           engine.Clock
	}{
		{},
		{engine.Clock{Left: time.Second, Increment: 100 * time.Millisecond}, 1 << 2, 1000<<16 | 100, engine.Clock{Left: time.Second, Increment: 100 * time.Millisecond}},
		{engine.Clock{Left: 40 * time.Second}, 1 << 2, -25536 << 16, engine.Clock{Left: 40 * time.Second}},
		{engine.Clock{Left: 5 * time.Minute, Increment: 2 * time.Second}, 2 << 2, 30000<<16 | 200, engine.Clock{Left: 5 * time.Minute, Increment: 2 * time.Second}},
		{engine.Clock{Left: time.Second, Increment: 20 * time.Minute}, 3 << 2, 10<<16 | 12000, engine.Clock{Left: time.Second, Increment: 20 * time.Minute}},
		{engine.Clock{Left: 5 * time.Hour}, 3 << 2, -1 << 16, engine.Clock{Left: 6553500 * time.Millisecond}},
		{engine.Clock{Left: -time.Second, Increment: time.Second}, 1 << 2, 1000, engine.Clock{Increment: time.Second}},
	} {
		info, moreinfo := abi.ClockInfo(c.given)
		read, ok := abi.ClockOf(info|abi.Reset|abi.Exact, moreinfo)
		if info != c.info || moreinfo != c.moreinfo || read != c.read || ok != (c.given != engine.Clock{}) {
			t.Errorf("%v: %d, %d, read as %v, %v; want %d, %d, %v", c.given, info, moreinfo, read, ok, c.info, c.moreinfo, c.read)
		}
	}
}

// TestClockRoundTrip: a clock that fits is read to within a unit, which is at most 0.1 s.
func TestClockRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		durations := rapid.Map(rapid.Int64Range(1, int64(6553*time.Second)), func(n int64) time.Duration { return time.Duration(n) })
		given := engine.Clock{Left: durations.Draw(t, "left"), Increment: durations.Draw(t, "increment")}
		read, ok := abi.ClockOf(abi.ClockInfo(given))
		if lost := max(given.Left-read.Left, given.Increment-read.Increment); !ok || min(given.Left-read.Left, given.Increment-read.Increment) < 0 || lost >= 100*time.Millisecond {
			t.Fatalf("%v is read as %v, %v", given, read, ok)
		}
	})
}
