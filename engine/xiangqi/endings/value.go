package endings

import (
	"iter"
	"sync/atomic"
)

// A Value is what a position is worth for the side to move. Up to longest it is the number of plies
// to mate or stalemate, with which the side to move wins if it is odd and loses if it is even.
type Value uint8

const (
	longest    Value = 249
	LossByRule Value = 250 // the side to move can only go on by checking for ever, which every rule set forbids
	WinByRule  Value = 251 // the other side can
	DrawOrLoss Value = 252 // a draw, unless a rule set forbids the side to move a repetition that others allow
	DrawOrWin  Value = 253 // a draw, unless one forbids it the other side
	Draw       Value = 254
	Illegal    Value = 255 // the side that is not to move is in check, or two men are on one point
)

// Wins reports whether the side to move wins by all rule sets.
func (v Value) Wins() bool { return v <= longest && v%2 == 1 || v == WinByRule }

// Loses reports whether the side to move loses by all rule sets.
func (v Value) Loses() bool { return v <= longest && v%2 == 0 || v == LossByRule }

// drawn reports whether the position is a draw by some rule set.
func (v Value) drawn() bool { return v >= DrawOrLoss && v <= Draw }

// Plies returns the number of plies to mate or stalemate, if there is one: a win by rule has none.
func (v Value) Plies() (plies int, ok bool) { return int(v), v <= longest }

// A plane has a byte for each position, four in a word, so that goroutines can share it.
type plane []uint32

func newPlane(size int) plane { return make(plane, (size+3)/4) }

// at returns a byte that nobody changes meanwhile.
func (p plane) at(i int) uint8 { return uint8(p[i>>2] >> (i & 3 * 8)) }

// set sets a byte while nobody uses the same word.
func (p plane) set(i int, v uint8) {
	shift := i & 3 * 8
	p[i>>2] = p[i>>2]&^(255<<shift) | uint32(v)<<shift
}

// load returns a byte that may be changed meanwhile.
func (p plane) load(i int) uint8 { return uint8(atomic.LoadUint32(&p[i>>2]) >> (i & 3 * 8)) }

// replace replaces a byte by v if change says so.
func (p plane) replace(i int, v uint8, change func(old uint8) bool) {
	shift := i & 3 * 8
	for {
		old := atomic.LoadUint32(&p[i>>2])
		if !change(uint8(old>>shift)) || atomic.CompareAndSwapUint32(&p[i>>2], old, old&^(255<<shift)|uint32(v)<<shift) {
			return
		}
	}
}

// decrement returns what is left of a byte that is not 0.
func (p plane) decrement(i int) uint8 {
	shift := i & 3 * 8
	return uint8(atomic.AddUint32(&p[i>>2], -(1<<shift)) >> shift)
}

// find yields the places in [from, to) of the bytes that are v.
func (p plane) find(v uint8, from, to int) iter.Seq[int] {
	return func(yield func(int) bool) {
		pattern := uint32(v) * 0x01010101
		for i := from; i < to; {
			if i&3 == 0 && to-i >= 4 {
				if x := p[i>>2] ^ pattern; (x-0x01010101)&^x&0x80808080 == 0 {
					i += 4
					continue
				}
			}
			if p.at(i) == v && !yield(i) {
				return
			}
			i++
		}
	}
}
