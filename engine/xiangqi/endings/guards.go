package endings

import (
	"slices"
	"sync"

	"qhsh/engine/xiangqi"
)

// A guardSet numbers the ways in which a side's king, advisors and elephants can stand: with two of
// each 1,410 ways. Black's stand as Red's would with the board turned over. The ways that are not the mirror
// image of an earlier one come first.
type guardSet struct {
	ways   []guardWay
	folded int // ways without the mirror images
	number [9 << 12]int16
	mirror []int16
}

// A guardWay is where the men stand: the king, then the advisors and elephants in ascending order.
type guardWay struct {
	at   [5]xiangqi.Square
	code int // king's place << 12 | set of advisors << 7 | set of elephants
}

// place is a point's place in the palace and its bits as a home of advisors and of elephants, for
// Red; 0 where there is none.
var place [90]struct{ king, advisor, elephant int }

func init() {
	number := func(home xiangqi.Bitboard, set func(at xiangqi.Square, i int)) {
		i := 0
		for at := range home.All() {
			set(at, i)
			i++
		}
	}
	number(xiangqi.Home(xiangqi.Red, xiangqi.King), func(at xiangqi.Square, i int) { place[at].king = i << 12 })
	number(xiangqi.Home(xiangqi.Red, xiangqi.Advisor), func(at xiangqi.Square, i int) { place[at].advisor = 1 << 7 << i })
	number(xiangqi.Home(xiangqi.Red, xiangqi.Elephant), func(at xiangqi.Square, i int) { place[at].elephant = 1 << i })
}

// guardSets are the sets by the numbers of advisors and elephants.
var guardSets [3][3]func() *guardSet

func init() {
	for advisors := range guardSets {
		for elephants := range guardSets[advisors] {
			guardSets[advisors][elephants] = sync.OnceValue(func() *guardSet { return newGuardSet(advisors, elephants) })
		}
	}
}

func newGuardSet(advisors, elephants int) *guardSet {
	g := new(guardSet)
	for king := range xiangqi.Home(xiangqi.Red, xiangqi.King).All() {
		for _, a := range choose(xiangqi.Home(xiangqi.Red, xiangqi.Advisor), advisors) {
			for _, e := range choose(xiangqi.Home(xiangqi.Red, xiangqi.Elephant), elephants) {
				men := append(append([]xiangqi.Square{king}, a...), e...)
				if w, ok := wayOf(men, advisors); ok {
					g.ways = append(g.ways, w)
				}
			}
		}
	}
	image := func(w guardWay) guardWay {
		men := make([]xiangqi.Square, 1+advisors+elephants)
		for i := range men {
			men[i] = w.at[i].Mirrored()
		}
		w, _ = wayOf(men, advisors)
		return w
	}
	first := func(w guardWay) bool { return w.code <= image(w).code }
	g.ways = append(slices.DeleteFunc(slices.Clone(g.ways), func(w guardWay) bool { return !first(w) }), slices.DeleteFunc(g.ways, first)...)
	for i := range g.number {
		g.number[i] = -1
	}
	for i, w := range g.ways {
		g.number[w.code] = int16(i)
		if first(w) {
			g.folded = i + 1
		}
	}
	for _, w := range g.ways {
		g.mirror = append(g.mirror, g.number[image(w).code])
	}
	return g
}

// wayOf returns the way in which men stand, and whether no two stand on one point.
func wayOf(men []xiangqi.Square, advisors int) (w guardWay, ok bool) {
	slices.Sort(men[1 : 1+advisors])
	slices.Sort(men[1+advisors:])
	var all xiangqi.Bitboard
	for i, at := range men {
		w.at[i] = at
		all = all.Or(xiangqi.SquareBB(at))
		switch {
		case i == 0:
			w.code += place[at].king
		case i <= advisors:
			w.code += place[at].advisor
		default:
			w.code += place[at].elephant
		}
	}
	return w, all.Count() == len(men)
}

// choose returns the choices of n points of a set.
func choose(set xiangqi.Bitboard, n int) (choices [][]xiangqi.Square) {
	if n == 0 {
		return [][]xiangqi.Square{nil}
	}
	for !set.Empty() {
		var at xiangqi.Square
		at, set = set.Next()
		for _, rest := range choose(set, n-1) {
			choices = append(choices, append([]xiangqi.Square{at}, rest...))
		}
	}
	return choices
}
