package analyze

import (
	"slices"
	"time"

	"qhsh/engine"
	"qhsh/pluginclient"
)

// growingSteps returns the limits of searches that grow up to the one with the limits lim, which is the last.
// It is the only one if the engine tells its lines while it searches, or if its searches cannot grow.
//
// With a time, the searches before the last double the time, beginning with first, and take no more
// than half of it together; the last one has what remains. Without a time, they are at the levels
// below the one that applies.
func growingSteps(s pluginclient.Session, lim engine.Limits, first time.Duration) []engine.Limits {
	_, live := pluginclient.As[pluginclient.LiveThinker](s)
	_, untimed := pluginclient.As[pluginclient.Untimed](s)
	var all []engine.Limits
	switch {
	case live, untimed:
	case lim.Time != 0:
		left := lim.Time
		for step := max(first, time.Millisecond); step <= left-lim.Time/2; step *= 2 {
			next := lim
			next.Time = step
			all = append(all, next)
			left -= step
		}
		lim.Time = left
	default:
		levels := s.Info().Levels
		bounds, _ := pluginclient.BoundsOf(s).Limits(lim)
		at := slices.IndexFunc(levels, func(l engine.Level) bool { return l.ID == bounds.Level })
		for _, weaker := range levels[:max(at, 0)] {
			next := lim
			next.Level = weaker.ID
			all = append(all, next)
		}
	}
	return append(all, lim)
}
