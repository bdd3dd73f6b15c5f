package analyze

import (
	"context"
	"iter"
	"slices"
	"time"

	"qhsh/engine"
	"qhsh/pluginclient"
	"qhsh/pluginclient/asking"
)

// Limits of a search without an end.
const (
	endlessTime  = 24 * time.Hour
	endlessDepth = 200         // plies; a limit on depth is one that no level replaces
	firstTime    = time.Second // of an engine without levels that tells nothing while it searches
)

// A Search is a search of a position that somebody watches.
type Search struct {
	Pos    engine.Position
	Limits engine.Limits
	// Endless lets the search go on for as long as the engine can; of the Limits, only Lines and Ban
	// apply.
	Endless bool
	// OnLines is called with the lines so far.
	OnLines func([]engine.Line)
}

// Live searches with s until the search or ctx ends. An engine that tells nothing while it searches
// is asked several times, with growing limits. It keeps what it remembers.
func Live(ctx context.Context, s pluginclient.Session, search Search) error {
	steps := slices.Values(growingSteps(s, search.Limits, firstTime))
	if search.Endless {
		steps = endlessSteps(s, engine.Limits{Lines: search.Limits.Lines, Ban: search.Limits.Ban})
	}
	policy := asking.Policy{NoRetry: true, KeepState: true, OnLines: search.OnLines}
	for step := range steps {
		if _, err := policy.Ask(ctx, s, search.Pos, step); err != nil {
			return err
		}
	}
	return nil
}

// endlessSteps adds limits that grow without an end, or as far as the engine can, to lim.
func endlessSteps(s pluginclient.Session, lim engine.Limits) iter.Seq[engine.Limits] {
	_, live := pluginclient.As[pluginclient.LiveThinker](s)
	_, untimed := pluginclient.As[pluginclient.Untimed](s)
	levels := s.Info().Levels
	return func(yield func(engine.Limits) bool) {
		lim := lim
		switch {
		case live:
			lim.Time, lim.Depth = endlessTime, endlessDepth
			yield(lim)
		case len(levels) > 0:
			for _, level := range levels {
				if lim.Level = level.ID; !yield(lim) {
					return
				}
			}
		case untimed:
			yield(lim)
		default:
			for lim.Time = firstTime; lim.Time < endlessTime && yield(lim); lim.Time *= 2 {
			}
		}
	}
}
