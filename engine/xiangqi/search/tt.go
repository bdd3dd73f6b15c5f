package search

import (
	"math/bits"
	"sync/atomic"

	"qhsh/engine/xiangqi"
)

// A table is the transposition table. The threads of a search share it without a lock.
//
// It is an array of clusters of four 16-byte entries, one cache line. The high bits of a key choose
// the cluster; the low 48 bits are stored to verify it, together with the table's epoch. clear only
// starts a new epoch, and an entry of another epoch counts as empty, so that a table of any size is
// cleared in constant time.
//
// Within an epoch each search has an age. In a full cluster the shallowest entry is replaced, where
// an entry counts as agePlies shallower for every search since it was stored.
type table struct {
	clusters []cluster
	epoch    uint64 // 1 to 65535; 0 is the epoch of unused memory
	age      uint64 // 0 to 63
}

type cluster [clusterSize]slot

const (
	clusterSize = 4
	agePlies    = 8
)

// A slot is an entry as stored. data is, from the low end: move 16 bits, score 16, evaluation 16,
// depth 7, PV 1, bound 2, age 6. keyXorData is the low 48 bits of the key and the epoch, XORed with data:
// if two threads write a slot at once and their halves mix, it matches neither position. Both are
// read and written atomically.
type slot struct{ keyXorData, data uint64 }

func (s *slot) load() (check, data uint64) {
	data = atomic.LoadUint64(&s.data)
	return atomic.LoadUint64(&s.keyXorData) ^ data, data
}

func (s *slot) set(check, data uint64) {
	atomic.StoreUint64(&s.data, data)
	atomic.StoreUint64(&s.keyXorData, check^data)
}

// A bound is the relation of a stored score to the true one.
type bound uint8

const (
	boundNone  bound = iota
	boundUpper       // the true score is at most this
	boundLower       // the true score is at least this
	boundExact
)

// An entry is an unpacked slot. Mate scores are relative to the position itself in the slot and to
// the root in the entry.
type entry struct {
	move  xiangqi.Move // the best one found, or 0
	score int
	eval  int // static evaluation, or noEval
	depth int
	bound bound
	pv    bool // the position has been in a PV
}

// noEval stands for a missing static evaluation.
const noEval = -infinity

func newTable(mebibytes int) *table {
	const size = clusterSize * 16
	t := &table{clusters: make([]cluster, mebibytes<<20/size), epoch: 1}
	useHugePages(t.clusters)
	return t
}

// clear empties the table.
func (t *table) clear() {
	t.age = 0
	if t.epoch++; t.epoch > 0xFFFF {
		clear(t.clusters)
		t.epoch = 1
	}
}

// newSearch starts a new age.
func (t *table) newSearch() { t.age = (t.age + 1) & 63 }

func (t *table) cluster(key uint64) *cluster {
	i, _ := bits.Mul64(key, uint64(len(t.clusters)))
	return &t.clusters[i]
}

// prefetch starts to load what probe needs of a position, which takes long in a large table.
func (t *table) prefetch(key uint64) { prefetch(t.cluster(key)) }

func (t *table) check(key uint64) uint64 { return key<<16 | t.epoch }

// probe returns the entry of a position at a ply.
func (t *table) probe(key uint64, ply int) (entry, bool) {
	check := t.check(key)
	b := t.cluster(key)
	for i := range b {
		if c, data := b[i].load(); c == check {
			return unpack(data, ply), true
		}
	}
	return entry{}, false
}

// store stores the results of a position at a ply. If the score is valid on one path only, just the
// move is stored.
func (t *table) store(key uint64, ply int, e entry) {
	if isByRule(e.score) {
		e.bound, e.score, e.depth = boundNone, 0, 0
	}
	check := t.check(key)
	s := t.replace(t.cluster(key), check)
	if c, data := s.load(); c == check {
		if e.move == 0 {
			e.move = xiangqi.Move(data)
		}
		if t.keepsStored(data, e) {
			s.set(check, data&^0xFFFF|uint64(e.move))
			return
		}
	}
	s.set(check, pack(e, ply)|t.age<<58)
}

// full returns how many of a thousand slots have an entry of this search's age.
func (t *table) full() (n int) {
	const sample = 1000 / clusterSize
	for i := range t.clusters[:sample] {
		for k := range t.clusters[i] {
			if c, data := t.clusters[i][k].load(); c&0xFFFF == t.epoch && data>>58 == t.age {
				n++
			}
		}
	}
	return n
}

// keepsStored reports whether the entry stored by this search is more valuable than e.
func (t *table) keepsStored(data uint64, e entry) bool {
	return e.bound != boundExact && data>>58 == t.age && depthOf(data) > e.depth+3
}

// replace returns the slot for a position: the one that already has it, a free one, or the least
// valuable one.
func (t *table) replace(b *cluster, check uint64) *slot {
	worst, least := &b[0], int(^uint(0)>>1)
	for i := range b {
		s := &b[i]
		c, data := s.load()
		if c == check {
			return s
		}
		worth := -1
		if c&0xFFFF == t.epoch {
			worth = depthOf(data) + 64*agePlies - agePlies*int((t.age-data>>58)&63)
		}
		if worth < least {
			worst, least = s, worth
		}
	}
	return worst
}

func depthOf(data uint64) int { return int(data >> 48 & 0x7F) }

func pack(e entry, ply int) uint64 {
	return uint64(e.move) |
		uint64(uint16(int16(valueToTT(e.score, ply))))<<16 |
		uint64(uint16(int16(e.eval)))<<32 |
		uint64(max(0, min(e.depth, 0x7F)))<<48 |
		pvBit(e.pv) |
		uint64(e.bound)<<56
}

func unpack(data uint64, ply int) entry {
	return entry{
		move:  xiangqi.Move(data),
		score: valueFromTT(int(int16(data>>16)), ply),
		eval:  int(int16(data >> 32)),
		depth: depthOf(data),
		bound: bound(data >> 56 & 3),
		pv:    data>>55&1 != 0,
	}
}

func pvBit(pv bool) uint64 {
	if pv {
		return 1 << 55
	}
	return 0
}

// valueToTT converts a mate score relative to the root into one relative to this ply.
func valueToTT(v, ply int) int {
	switch {
	case v >= mateBand:
		return v + ply
	case v <= -mateBand:
		return v - ply
	}
	return v
}

// valueFromTT returns the inverse of valueToTT.
func valueFromTT(v, ply int) int {
	switch {
	case v >= mateBand:
		return v - ply
	case v <= -mateBand:
		return v + ply
	}
	return v
}
