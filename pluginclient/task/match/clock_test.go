package match

import (
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestParseClock(t *testing.T) {
	for text, want := range map[string]Clock{
		"60":         {Time: time.Minute},
		"40/60+0.6":  {Moves: 40, Time: time.Minute, Increment: 600 * time.Millisecond},
		"2:00+1":     {Time: 2 * time.Minute, Increment: time.Second},
		"1m30s":      {Time: 90 * time.Second},
		"0.5+0":      {Time: 500 * time.Millisecond},
		"9/100ms+1m": {Moves: 9, Time: 100 * time.Millisecond, Increment: time.Minute},
	} {
		got, err := ParseClock(text)
		if err != nil || got != want {
			t.Errorf("%q: %+v, %v", text, got, err)
		}
		if back, err := ParseClock(got.String()); err != nil || back != got {
			t.Errorf("%q: round trip through %q", text, got)
		}
	}
	for _, bad := range []string{"", "x", "0", "-1", "0/60", "a/60", "60+", "60+x", "1:2:3", "nan", "inf", "1e99", "60+-1"} {
		if c, err := ParseClock(bad); err == nil {
			t.Errorf("%q reads as %+v", bad, c)
		}
	}
}

func TestAllot(t *testing.T) {
	for _, c := range []struct {
		clock Clock
		made  int
		left  time.Duration
		want  time.Duration
	}{
		{Clock{Time: time.Minute}, 0, time.Minute, 2 * time.Second},
		{Clock{Time: time.Minute, Increment: time.Second}, 90, 30 * time.Second, 1750 * time.Millisecond},
		{Clock{Moves: 40, Time: time.Minute}, 30, 20 * time.Second, 2 * time.Second},
		{Clock{Moves: 40, Time: time.Minute}, 39, 20 * time.Second, 19 * time.Second},
		{Clock{Time: time.Minute, Increment: time.Minute}, 0, 100 * time.Millisecond, 95 * time.Millisecond},
		{Clock{Time: time.Minute}, 0, 0, time.Millisecond},
	} {
		r := runningClock{Clock: c.clock, left: c.left, made: c.made}
		if got := r.allot(); got != c.want {
			t.Errorf("%v after %d moves with %v: %v, want %v", c.clock, c.made, c.left, got, c.want)
		}
	}
}

// TestClockLasts checks that a player that uses the time allotted never runs out of time.
func TestClockLasts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := Clock{
			Moves:     rapid.IntRange(0, 50).Draw(t, "moves"),
			Time:      time.Duration(rapid.IntRange(100, 100_000).Draw(t, "ms")) * time.Millisecond,
			Increment: time.Duration(rapid.IntRange(0, 2000).Draw(t, "increment")) * time.Millisecond,
		}
		r := runningClock{Clock: c, left: c.Time}
		for range 60 {
			share := r.allot()
			if share > r.left {
				t.Fatalf("%v: %v allotted of %v", c, share, r.left)
			}
			r.moved(share)
		}
	})
}
