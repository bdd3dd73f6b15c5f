package engine

import (
	"fmt"
	"strings"
	"time"
)

// Limits bound a search. A zero field means no limit, or not set.
type Limits struct {
	Level int           // a level's ID, which adds the level's limits; 0: none
	Nodes int64         // positions visited
	Depth int           // plies
	Time  time.Duration // when it is up, the best line so far is the answer
	Lines int           // number of lines wanted (MultiPV); 0: one
	Ban   []Move        // moves not to be considered

	// Play says that the caller plays the first move of the answer. The engine may play it on its
	// own board at once, and need not score it: an engine whose protocol has one command for a
	// move and another for analysis is asked for a move.
	Play bool

	// Seed, with Play, decides with an engine's own number between moves of its book. A match gives
	// each pair of games another one.
	Seed uint64

	// Clock is the time control that Time was taken from, for engines that distribute their time
	// themselves. Others ignore it.
	Clock Clock
}

// A Clock is a player's state of a time control. The zero Clock means that there is none.
type Clock struct {
	Left      time.Duration // for this and later moves
	Increment time.Duration // added after each move
}

// Time management by a Clock.
const (
	expectedMoves  = 30   // estimate of the moves left in a game
	maxShareOfLeft = 0.95 // of the time left, for one move
	incrementShare = 0.75 // of the increment, for each move
)

// Allot returns the time for the next move: the time left divided by the moves until time is added, 0 if it is not, but
// at most expectedMoves, plus a share of the increment; never more than maxShareOfLeft of the time left.
func (c Clock) Allot(moves int) time.Duration {
	if moves < 1 || moves > expectedMoves {
		moves = expectedMoves
	}
	share := float64(c.Left)/float64(moves) + incrementShare*float64(c.Increment)
	return max(time.Duration(min(share, maxShareOfLeft*float64(c.Left))), time.Millisecond)
}

// Within returns l with the tighter of both limits on nodes, depth and time.
func (l Limits) Within(m Limits) Limits {
	l.Nodes = tighter(l.Nodes, m.Nodes)
	l.Depth = tighter(l.Depth, m.Depth)
	l.Time = tighter(l.Time, m.Time)
	return l
}

func tighter[T int | int64 | time.Duration](a, b T) T {
	if a == 0 || b != 0 && b < a {
		return b
	}
	return a
}

// LimitKinds is a set of kinds of limits.
type LimitKinds uint8

// The kinds of limits on the length of a search.
const (
	LimitLevel LimitKinds = 1 << iota
	LimitNodes
	LimitDepth
	LimitTime
)

// Kinds returns the kinds of limits that are set.
func (l Limits) Kinds() (set LimitKinds) {
	for kind, is := range map[LimitKinds]bool{
		LimitLevel: l.Level != 0, LimitNodes: l.Nodes != 0, LimitDepth: l.Depth != 0, LimitTime: l.Time != 0,
	} {
		if is {
			set |= kind
		}
	}
	return set
}

// Check returns a *[LimitError] if l has limits of kinds that the protocol does not support.
func (l Limits) Check(protocol string, refuses LimitKinds) error {
	if l.Kinds()&refuses == 0 {
		return nil
	}
	return &LimitError{Protocol: protocol, Refuses: refuses}
}

// A LimitError is the error of a search with limits that an engine does not support.
type LimitError struct {
	Protocol string
	Refuses  LimitKinds // all kinds that it does not support
}

func (e *LimitError) Error() string {
	var none []string
	if e.Refuses&LimitLevel != 0 {
		none = append(none, "no level")
	}
	if on := namesOf(e.Refuses&^LimitLevel, ""); on != "" {
		none = append(none, "no limit on "+on)
	}
	const all = LimitLevel | LimitNodes | LimitDepth | LimitTime
	return fmt.Sprintf("%s carries %s: use %s", e.Protocol, strings.Join(none, " and "), namesOf(all&^e.Refuses, "a "))
}

// namesOf returns the names of kinds, with the article where one is needed.
func namesOf(kinds LimitKinds, article string) string {
	var names []string
	for _, k := range []struct {
		kind LimitKinds
		name string
	}{{LimitLevel, article + "level"}, {LimitNodes, "nodes"}, {LimitDepth, article + "depth"}, {LimitTime, article + "time"}} {
		if kinds&k.kind != 0 {
			names = append(names, k.name)
		}
	}
	return strings.Join(names, " or ")
}
