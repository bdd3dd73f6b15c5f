package endings

import (
	"testing"

	"qhsh/engine/enginetest"
)

// TestUntilCapture compares the plies to a capture or mate with those after each move, by a limit so low
// that there are wins that exceed it.
func TestUntilCapture(t *testing.T) {
	enginetest.SkipUnderRace(t)
	for _, test := range []struct {
		material string
		limit    int
	}{{"KPPK", 9}, {"KNKP", 10}, {"KPKA", 6}} {
		k := makeMaker(t, test.material, test.limit)
		counts := map[string]int{}
		for i := range k.layout.size {
			for _, side := range sides {
				v := Value(k.values[side].at(i))
				if v > longest {
					continue
				}
				least, most := never, 0
				k.next(i, side, func(s step, after *placement, next Value) bool {
					until := 1
					switch {
					case next > longest:
						until = never
					case s.taken < 0:
						number, _, _ := k.layout.number(after, false, false)
						until = min(int(k.until[side^1].at(number))+1, never)
					case k.parts[k.layout.men[s.taken]].until(after, side^1) > test.limit:
						until = never
						counts["captures that are too late"]++
					}
					if next.Loses() {
						least = min(least, until)
					}
					most = max(most, until)
					return true
				})
				want := most
				if v.Wins() {
					want = least
				}
				until := int(k.until[side].at(i))
				switch {
				case until != want:
					p, _ := k.layout.at(i)
					t.Fatalf("%s: %d plies to a capture or mate, but %d by the moves", p.fen(side), until, want)
				case until == never:
					counts["never"]++
				case until < int(v):
					counts["sooner than mate"]++
				}
			}
		}
		t.Log(test.material, counts)
	}
}
