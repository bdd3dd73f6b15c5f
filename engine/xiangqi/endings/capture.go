package endings

import (
	"sync/atomic"

	"qhsh/engine/xiangqi"
)

// A game without a capture for too long is a draw, so a long win needs a capture in time. Where a mate takes more
// plies than the strictest rule set allows, a second analysis finds how many plies the winner needs to
// capture something or mate, if he hurries so and the loser delays it. The capture must leave a win that is
// in time itself.

// never is the number of plies of what does not come in time.
const never = 255

// untilCapture finds the plies to a capture or mate of all positions that are won or lost by mate, if some
// of them take more plies than limit.
func (k *maker) untilCapture(limit int) error {
	if int(k.last.Load()) <= limit {
		return nil
	}
	for side := range sides {
		k.until[side] = newPlane(k.layout.size)
	}
	if err := k.each(k.layout.size, func(from, to int) { k.startUntil(from, to, limit) }); err != nil {
		return err
	}
	for plies, found := 0, true; plies <= 1 || found && plies < never-1; plies++ {
		var any atomic.Bool
		err := k.back(&k.until, plies, func(i, before int, mover xiangqi.Side) {
			any.Store(true)
			k.learnUntil(before, mover, Value(k.values[mover^1].at(i)).Wins(), plies)
		})
		if err != nil {
			return err
		}
		found = any.Load()
	}
	return nil
}

// startUntil finds mates and captures, and counts the other moves of who loses.
func (k *maker) startUntil(from, to, limit int) {
	for i := from; i < to; i++ {
		for _, side := range sides {
			k.until[side].set(i, never)
			v := Value(k.values[side].at(i))
			if v > longest {
				continue
			}
			moves, open, wins := 0, 0, false
			k.next(i, side, func(s step, after *placement, next Value) bool {
				moves++
				if s.taken < 0 || next > longest || k.parts[k.layout.men[s.taken]].until(after, side^1) > limit {
					open++
				} else {
					wins = wins || next.Loses()
				}
				return true
			})
			switch {
			case moves == 0:
				k.until[side].set(i, 0)
			case wins || v.Loses() && open == 0:
				k.until[side].set(i, 1)
			}
			k.open[side].set(i, uint8(open))
		}
	}
}

// learnUntil notes that a move of a side leads to a position in which the other side has won or lost, plies before a
// capture or mate.
func (k *maker) learnUntil(i int, side xiangqi.Side, won bool, plies int) {
	if v := Value(k.values[side].at(i)); v <= longest && v.Wins() != won && (!won || k.open[side].decrement(i) == 0) {
		k.until[side].replace(i, uint8(plies+1), func(old uint8) bool { return old == never })
	}
}

// until returns the plies to a capture or mate after a capture, as table.pliesUntil does.
func (p part) until(after *placement, side xiangqi.Side) int {
	number, side := p.table.number(after, p.swap, side)
	return p.table.pliesUntil(side, number)
}

// pliesUntil returns the plies to a capture or mate of a position that is won or lost by mate, or where no win takes
// too long those to mate, which are as many at least.
func (t *table) pliesUntil(side xiangqi.Side, number int) int {
	if t.until[side] == nil {
		return int(t.values[side].at(number))
	}
	return int(t.until[side].at(number))
}
