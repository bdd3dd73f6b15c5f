package pluginclient

import (
	"slices"

	"qhsh/engine"
)

// Bounds are the limits of a Session that apply to every search, besides the limits of the
// search itself.
type Bounds struct {
	Level  int           // the current level
	Known  bool          // Level is set and known
	Chosen bool          // the user set Level, so it also applies to searches with a time limit
	Always bool          // Level applies to every search, as LEVEL does in a plugin
	Fixed  engine.Limits // replaces the level in every search
}

// A Bounded is a Session that reports its Bounds.
type Bounded interface{ Bounds() Bounds }

// BoundsOf returns the Bounds of s. If s is not Bounded, its current level applies to every search.
func BoundsOf(s Session) Bounds {
	if b, ok := As[Bounded](s); ok {
		return b.Bounds()
	}
	level, known := s.Level()
	return Bounds{Level: level, Known: known, Always: true}
}

// Limits returns the limits that apply to a search asked with lim, and reports whether a level
// is one of them. The search ends when it reaches the first limit. The current level applies to
// a search without other limits, and to others as Chosen and Always say.
func (b Bounds) Limits(lim engine.Limits) (bounds engine.Limits, leveled bool) {
	switch {
	case b.Fixed.Kinds() != 0:
		lim.Level = 0
		return lim.Within(b.Fixed), false
	case lim.Level != 0:
		return lim, true
	case b.Known && (b.Always || lim.Nodes == 0 && lim.Depth == 0 && (b.Chosen || lim.Time == 0)):
		lim.Level = b.Level
		return lim, true
	}
	return lim, false
}

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
