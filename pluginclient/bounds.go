package pluginclient

import "qhsh/engine"

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
