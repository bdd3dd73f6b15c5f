package endings

import (
	"slices"
	"sync"

	"qhsh/engine/xiangqi"
)

// A position that no side can win is a draw by going on for ever, which takes a repetition. All rule sets
// forbid a side to check throughout, and each of them more: chases, threats of mate. So draws are looked
// at once more. Most have a move that stays in draws and neither checks nor can be any other offence, after
// which the side has another such move: these are draws by all rule sets. What is left is solved for
// perpetual check alone, and what may depend on more is called disputed.

// A forced is a drawn position in which every move that draws may be an offence.
type forced struct {
	number int
	side   xiangqi.Side
	checks bool // each of them is a check
}

// repetition gives the draws that depend on repetitions their values.
func (k *maker) repetition() error {
	for _, part := range k.parts {
		k.ruled = k.ruled || part.table != nil && part.table.ruled
	}
	for {
		all, err := k.findForced()
		if err != nil {
			return err
		}
		checked := k.kept(slices.DeleteFunc(slices.Clone(all), func(f forced) bool { return !f.checks }), true)
		for _, f := range checked {
			k.values[f.side].set(f.number, uint8(LossByRule))
			k.ruled = true
		}
		changed, err := k.spread(LossByRule)
		if err != nil {
			return err
		}
		if len(checked) > 0 || changed {
			continue
		}
		for _, f := range k.kept(all, false) {
			k.values[f.side].set(f.number, uint8(DrawOrLoss))
			k.ruled = true
		}
		_, err = k.spread(DrawOrLoss)
		return err
	}
}

// next calls f with the legal moves of a position and the values after them, until f returns false.
func (k *maker) next(i int, side xiangqi.Side, f func(s step, after *placement, v Value) bool) {
	p, _ := k.layout.at(i)
	p.legal(side, func(s step, after *placement) bool {
		if s.taken >= 0 {
			return f(s, after, k.afterCapture(&p, side, s, after))
		}
		return f(s, after, k.value(after, false, side^1))
	})
}

// findForced returns the draws in which every move that draws may be an offence, by number.
func (k *maker) findForced() (all []forced, err error) {
	var mu sync.Mutex
	err = k.each(k.layout.size, func(from, to int) {
		for _, side := range sides {
			for i := range k.values[side].find(uint8(Draw), from, to) {
				free, checks := false, true
				before, _ := k.layout.at(i)
				k.next(i, side, func(s step, after *placement, v Value) bool {
					if v.drawn() {
						check := after.attacked(side ^ 1)
						checks = checks && check && s.taken < 0
						if s.taken >= 0 {
							free = v != DrawOrWin
						} else {
							free = !check && !k.mayOffend(&before, after, s.man, side)
						}
					}
					return !free
				})
				if !free {
					mu.Lock()
					all = append(all, forced{i, side, checks})
					mu.Unlock()
				}
			}
		}
	})
	slices.SortFunc(all, func(a, b forced) int { return (a.number-b.number)*2 + int(a.side) - int(b.side) })
	return all, err
}

// mayOffend reports whether a move that neither checks nor takes may be one that some rule set counts: the side that
// has moved chases something, or threatens to end the game.
func (k *maker) mayOffend(before, after *placement, moved int, side xiangqi.Side) bool {
	return k.value(after, false, side) == 1 || before.mayChaseAnew(after, moved, side)
}

// mayChaseAnew reports whether a move that takes nothing is a chase by some rule set.
func (p *placement) mayChaseAnew(after *placement, moved int, side xiangqi.Side) (chases bool) {
	after.legal(side, func(s step, taken *placement) bool {
		chases = after.mayChase(side, s, taken) && (s.man == moved || !p.chases(side, s))
		return !chases
	})
	return chases
}

// mayChase reports whether a man that can take as a step says, after which taken is left, chases what it would take by
// some rule set.
func (p *placement) mayChase(side xiangqi.Side, s step, taken *placement) bool {
	if s.taken < 0 || p.men[s.man].piece.Kind() == xiangqi.King {
		return false
	}
	return chasesGuarded(p.men[s.man].piece.Kind(), p.men[s.taken].piece.Kind()) || !taken.reaches(side^1, s.to)
}

// chases reports whether a man chases another one by all rule sets, so that it does not do so anew when a third one moves:
// men of one kind may attack each other, which is no chase.
func (p *placement) chases(side xiangqi.Side, take step) (found bool) {
	if p.men[take.man].piece.Kind() == p.men[take.taken].piece.Kind() {
		return false
	}
	p.legal(side, func(s step, taken *placement) bool {
		found = s.man == take.man && s.taken == take.taken && p.mayChase(side, s, taken)
		return !found
	})
	return found
}

// chasesGuarded reports whether a man of a kind chases one of another by some rule set even if that is guarded.
func chasesGuarded(hunter, prey xiangqi.Kind) bool {
	switch hunter {
	case xiangqi.Advisor, xiangqi.Elephant:
		return prey != xiangqi.Pawn
	case xiangqi.Horse, xiangqi.Cannon:
		return prey == xiangqi.Rook
	}
	return false
}

// reaches reports whether a side can move to a point.
func (p *placement) reaches(side xiangqi.Side, to xiangqi.Square) (found bool) {
	p.legal(side, func(s step, _ *placement) bool {
		found = s.to == to
		return !found
	})
	return found
}

// kept returns those of the positions in which the other side can hold the side to move: after each move
// that draws it has one that draws and leads to another of them. If quiet, it does without checks.
func (k *maker) kept(all []forced, quiet bool) []forced {
	in := map[forced]bool{}
	for _, f := range all {
		in[forced{number: f.number, side: f.side}] = true
	}
	for {
		left := slices.DeleteFunc(all, func(f forced) bool {
			held := true
			k.next(f.number, f.side, func(s step, after *placement, v Value) bool {
				held = !v.drawn() || s.taken >= 0 && v == DrawOrWin || s.taken < 0 && k.holds(after, f.side, quiet, in)
				return held
			})
			if !held {
				delete(in, forced{number: f.number, side: f.side})
			}
			return !held
		})
		if len(left) == len(all) {
			return left
		}
		all = left
	}
}

// holds reports whether the side to move can lead the other one to a position of a set.
func (k *maker) holds(p *placement, held xiangqi.Side, quiet bool, in map[forced]bool) (found bool) {
	number, _, _ := k.layout.number(p, false, false)
	k.next(number, held^1, func(s step, after *placement, v Value) bool {
		if s.taken < 0 && v.drawn() && (!quiet || !after.attacked(held)) {
			number, _, _ := k.layout.number(after, false, false)
			found = in[forced{number: number, side: held}]
		}
		return !found
	})
	return found
}

// spread gives draws the values of judge until none changes, and reports whether any has.
func (k *maker) spread(lost Value) (changed bool, err error) {
	if !k.ruled {
		return false, nil
	}
	found := [2]map[int]Value{{}, {}} // since the last round
	var mu sync.Mutex
	look := func(i int, side xiangqi.Side) {
		if Value(k.values[side].at(i)) != Draw {
			return
		}
		if v := k.judge(i, side, lost); v != Draw {
			mu.Lock()
			found[side][i] = v
			mu.Unlock()
		}
	}
	err = k.each(k.layout.size, func(from, to int) {
		for i := from; i < to; i++ {
			look(i, xiangqi.Red)
			look(i, xiangqi.Black)
		}
	})
	for err == nil && len(found[0])+len(found[1]) > 0 {
		changed = true
		before := [2][]int{}
		for side := range found {
			for i, v := range found[side] {
				k.values[side].set(i, uint8(v))
				before[side] = append(before[side], i)
			}
		}
		found = [2]map[int]Value{{}, {}}
		for _, side := range sides {
			err = k.each(len(before[side]), func(from, to int) {
				for _, i := range before[side][from:to] {
					k.before(i, side^1, func(number int) { look(number, side^1) })
				}
			})
		}
	}
	return changed, err
}

// judge returns the value of a draw as those of the positions after it make it: lost, LossByRule or DrawOrLoss, if the
// other side wins so after every move, and the won value next to it if the other side loses so after one.
func (k *maker) judge(i int, side xiangqi.Side, lost Value) Value {
	won, best := lost+1, lost
	k.next(i, side, func(_ step, _ *placement, v Value) bool {
		switch {
		case v == lost:
			best = won
		case v > won && v.drawn():
			best = Draw
		}
		return best != won
	})
	return best
}
