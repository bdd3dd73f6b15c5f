package pluginclient

import "qhsh/engine"

// Bounds are what bounds the searches of a Session besides the limits that each is asked with.
type Bounds struct {
	Level  int           // the current level
	Known  bool          // there is one, and it is known
	Chosen bool          // somebody has set it, so it holds beside a limit on time
	Always bool          // it holds beside every limit, as LEVEL does in a plugin
	Fixed  engine.Limits // of every search, in place of a level
}

// A Bounded is a Session that tells its Bounds.
type Bounded interface{ Bounds() Bounds }

// BoundsOf returns the Bounds of a Session. The current level of one that does not tell them holds
// for all that is known.
func BoundsOf(s Session) Bounds {
	if b, ok := As[Bounded](s); ok {
		return b.Bounds()
	}
	level, known := s.Level()
	return Bounds{Level: level, Known: known, Always: true}
}

// Limits returns what bounds a search with the limits lim, and reports whether a level does. The
// first limit that is reached ends it. The current level bounds a search that names no other limit;
// beside others it holds as the Bounds say.
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
