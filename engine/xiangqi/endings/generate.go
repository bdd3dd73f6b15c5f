package endings

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"

	"qhsh/engine/xiangqi"
)

// A table has the values of a material's positions by side to move and number.
type table struct {
	layout *layout
	values [2]plane
	until  [2]plane // plies to a capture or mate (capture.go); nil unless some win takes long
	ruled  bool     // some values depend on what is forbidden
}

// number returns the number of a placement of the table's material, or, with swap, of the swapped one, and the side to
// move there.
func (t *table) number(p *placement, swap bool, side xiangqi.Side) (int, xiangqi.Side) {
	number, _, _ := t.layout.number(p, swap, false)
	if swap {
		side ^= 1
	}
	return number, side
}

// value returns the value of a placement for the side to move, as number does its number.
func (t *table) value(p *placement, swap bool, side xiangqi.Side) Value {
	number, side := t.number(p, swap, side)
	return Value(t.values[side].at(number))
}

// A maker makes the table of a material from those of its parts.
type maker struct {
	ctx context.Context
	table
	// open counts, by side to move, the moves of a position that have not been found to lose. One that never
	// will be, such as a capture that draws, keeps the count above zero.
	open  [2]plane
	parts [16]part     // by the man taken
	last  atomic.Int32 // the largest number of plies in values
	limit int          // how many plies without a capture a win may take
}

// A part is the table of what is left when a man has been taken, and whether its colours are
// exchanged.
type part struct {
	table *table
	swap  bool
}

// newMaker returns the maker of a material's table. The tables of all standard materials in m.parts must
// be there.
func newMaker(ctx context.Context, m Material, tables map[Material]*table) (*maker, error) {
	l, err := layoutOf(m)
	if err != nil {
		return nil, err
	}
	k := &maker{ctx: ctx, table: table{layout: l}, limit: strictest()}
	for p, n := range m {
		if piece := xiangqi.Piece(p); n > 0 && piece.Kind() != xiangqi.King {
			standard, swap := m.without(piece).standard()
			k.parts[piece] = part{tables[standard], swap}
		}
	}
	for side := range sides {
		k.values[side], k.open[side] = newPlane(l.size), newPlane(l.size)
	}
	return k, nil
}

// solve finds the values: from the ends of games back to what leads there, ply by ply, and then the draws
// that depend on repetitions.
func (k *maker) solve() error {
	if err := k.each(k.layout.size, k.start); err != nil || k.layout.lack {
		return err
	}
	for plies := 0; plies <= int(k.last.Load()); plies++ {
		if plies > int(longest) {
			return fmt.Errorf("%v: a win takes more than %d plies", k.layout.material, longest)
		}
		err := k.back(&k.values, plies, func(_, before int, mover xiangqi.Side) { k.learn(before, mover, plies) })
		if err != nil {
			return err
		}
	}
	if err := k.repetition(); err != nil {
		return err
	}
	return k.untilCapture(k.limit)
}

// each calls f for ranges that together have all numbers below size, on all cores. A range begins at a word
// of a plane. The error is the context's cause.
func (k *maker) each(size int, f func(from, to int)) error {
	const width = 1 << 14
	var next atomic.Int64
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for k.ctx.Err() == nil {
				from := int(next.Add(width)) - width
				if from >= size {
					return
				}
				f(from, min(from+width, size))
			}
		})
	}
	workers.Wait()
	return context.Cause(k.ctx)
}

// back calls learn with the positions i of a number of plies, and each position in which mover has a quiet move to
// i; see before.
func (k *maker) back(planes *[2]plane, plies int, learn func(i, before int, mover xiangqi.Side)) error {
	for _, side := range sides {
		err := k.each(k.layout.size, func(from, to int) {
			for i := range planes[side].find(uint8(plies), from, to) {
				k.before(i, side^1, func(before int) { learn(i, before, side^1) })
			}
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// start gives positions the values that they have by themselves and by captures, and counts the moves
// of the others.
func (k *maker) start(from, to int) {
	for i := from; i < to; i++ {
		p, ok := k.layout.at(i)
		for _, side := range sides {
			if !ok || p.attacked(side^1) {
				k.values[side].set(i, uint8(Illegal))
				continue
			}
			v, moves, open := k.captures(&p, side)
			switch {
			case moves == 0:
				v = 0
			case k.layout.lack:
				v = Draw
			}
			if v != Draw {
				k.note(int(v)) // all moves may be captures after which the other side needs longest plies
			}
			k.values[side].set(i, uint8(v))
			k.open[side].set(i, uint8(open))
		}
	}
}

// captures returns what the captures among the legal moves are worth: the fastest win, or if all moves
// are captures that lose the slowest loss, or else a draw. open is the number of moves that do not lose as
// far as is known.
func (k *maker) captures(p *placement, side xiangqi.Side) (best Value, moves, open int) {
	best = Draw
	slowest := Value(0)
	p.legal(side, func(s step, after *placement) bool {
		moves++
		open++
		if s.taken >= 0 {
			switch v := k.afterCapture(p, side, s, after); {
			case v > longest:
			case v%2 == 0:
				best = min(best, v+1)
			default:
				open--
				slowest = max(slowest, v+1)
			}
		}
		return true
	})
	if open == 0 {
		best = slowest
	}
	return best, moves, open
}

// afterCapture returns the value for the other side of the position after a capture.
func (k *maker) afterCapture(p *placement, side xiangqi.Side, s step, after *placement) Value {
	part := k.parts[p.men[s.taken].piece]
	return part.table.value(after, part.swap, side^1)
}

// note notes that a value has a number of plies.
func (k *maker) note(plies int) {
	for old := k.last.Load(); plies > int(old) && !k.last.CompareAndSwap(old, int32(plies)); {
		old = k.last.Load()
	}
}

// before calls f with the numbers of the positions in which mover has a quiet move to the position i. The
// number of a position stands for its mirror image, too, unless the way of Red's guards is symmetric; so
// does that of a position before it, and f is called once for each of its moves.
func (k *maker) before(i int, mover xiangqi.Side, f func(number int)) {
	p, _ := k.layout.at(i)
	_, single, _ := k.layout.number(&p, false, false)
	for m := range p.n {
		if p.men[m].piece.Side() != mover {
			continue
		}
		for set := xiangqi.Sources(p.men[m].piece, p.men[m].at, p.occ); !set.Empty(); {
			var from xiangqi.Square
			from, set = set.Next()
			before := p
			before.move(m, from)
			number, symmetric, imaged := k.layout.number(&before, false, false)
			if single && imaged {
				continue // the image of p, which has a number of its own, leads there
			}
			f(number)
			if symmetric && !single {
				number, _, _ = k.layout.number(&before, false, true)
				f(number)
			}
		}
	}
}

// learn notes that a move of a side leads to a position in which the other side wins or loses in plies.
func (k *maker) learn(i int, side xiangqi.Side, plies int) {
	v := Value(k.values[side].load(i))
	switch {
	case v == Illegal:
		return
	case plies%2 == 0:
		k.note(plies + 1)
		k.values[side].replace(i, uint8(plies+1), func(old uint8) bool {
			return Value(old) == Draw || old%2 == 1 && int(old) > plies+1
		})
		return
	case k.open[side].decrement(i) > 0 || v != Draw:
		return
	}
	// Every move loses. A capture may be the one that delays it most.
	plies++
	p, _ := k.layout.at(i)
	p.legal(side, func(s step, after *placement) bool {
		if s.taken >= 0 {
			plies = max(plies, int(k.afterCapture(&p, side, s, after))+1)
		}
		return true
	})
	k.note(plies)
	k.values[side].replace(i, uint8(plies), func(uint8) bool { return true })
}
