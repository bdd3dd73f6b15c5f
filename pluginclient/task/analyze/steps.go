package analyze

import (
	"slices"
	"time"

	"qhsh/engine"
)

// Steps returns the limits of searches that grow up to one with the limits lim, for an engine that
// tells nothing while it searches. levels are the engine's own, weakest first, and level is the one
// that applies; 0 if none does.
//
// With a time, the searches before the last double the time, beginning with first, and take no more
// than half of it together; the last one has what remains. Without a time, the searches are those at
// the weaker levels. The last search is the only one if there is neither a time nor a weaker level.
func Steps(lim engine.Limits, levels []engine.Level, level int, first time.Duration) (all []engine.Limits) {
	add := func(l engine.Limits) { all = append(all, l) }
	if lim.Time != 0 {
		spent := time.Duration(0)
		for next := first; spent+next <= lim.Time/2; next *= 2 {
			step := lim
			step.Time = next
			add(step)
			spent += next
		}
		lim.Time -= spent
	} else if at := slices.IndexFunc(levels, func(l engine.Level) bool { return l.ID == level }); at > 0 {
		for _, weaker := range levels[:at] {
			step := lim
			step.Level = weaker.ID
			add(step)
		}
	}
	add(lim)
	return all
}
