package pluginclient

import (
	"slices"

	"qhsh/engine"
)

// What [Deeper] adds to limits other than a level. A level of [engine.NodeLevels] is four times the nodes
// of the one below, but who gives nodes or a time has an idea of how long a search may take.
const (
	levelFactor = 2
	levelPlies  = 1
)

// Deeper returns the limits of a search some levels deeper than one within lim. A level becomes a
// higher one of the session, at most its highest; for each, nodes and time are doubled, and depth grows
// by a ply. The limits are lim's own if the session cannot search deeper: it has no higher level, or
// limits that apply to every search.
func Deeper(s Session, lim engine.Limits, levels int) engine.Limits {
	bounds := BoundsOf(s)
	own, leveled := bounds.Limits(lim)
	deeper := own
	if leveled {
		all := s.Info().Levels
		if at := slices.IndexFunc(all, func(l engine.Level) bool { return l.ID == own.Level }); at >= 0 {
			deeper.Level = all[min(at+levels, len(all)-1)].ID
		}
	}
	for range levels {
		deeper.Nodes *= levelFactor
		deeper.Time *= levelFactor
		if deeper.Depth > 0 {
			deeper.Depth += levelPlies
		}
	}
	if after, _ := bounds.Limits(deeper); after.Level == own.Level && after.Nodes == own.Nodes && after.Time == own.Time && after.Depth == own.Depth {
		return lim
	}
	return deeper
}
