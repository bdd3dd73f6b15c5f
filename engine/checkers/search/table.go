package search

import "qhsh/engine/checkers"

// A bound is the meaning of an entry's score.
type bound uint8

const (
	noBound bound = iota
	exact
	lowerBound
	upperBound
)

// fromTo is the start and end square of a move. It may be ambiguous, which is good enough for move
// ordering.
type fromTo uint16

func fromToOf(m checkers.Move) fromTo { return fromTo(m & (1<<12 - 1)) }

// An entry holds the result of searching a position, in 16 bytes.
type entry struct {
	key   uint64
	move  fromTo
	score int16
	depth int8
	bound bound
	age   uint8
}

// A table is a transposition table with two entries per slot: the deeper one and the latest one.
// Forget changes the salt of the keys, so that older entries are no longer found; the slots stay
// the same.
type table struct {
	entries [][2]entry
	salt    uint64
	age     uint8
}

func newTable(mib int) *table {
	n := 1
	for n*2*32 <= mib<<20 {
		n *= 2
	}
	return &table{entries: make([][2]entry, n)}
}

func (t *table) forget() { t.salt += 0x9e3779b97f4a7c15 }

func (t *table) slot(key uint64) (*[2]entry, uint64) {
	return &t.entries[key&uint64(len(t.entries)-1)], key ^ t.salt
}

// probe returns the entry of a position. Its score counts from the node at ply.
func (t *table) probe(key uint64, ply int) (entry, bool) {
	slot, key := t.slot(key)
	for i := range slot {
		if e := &slot[i]; e.bound != noBound && e.key == key {
			found := *e
			found.score = int16(scoreFromTable(int(e.score), ply))
			return found, true
		}
	}
	return entry{}, false
}

func (t *table) store(key uint64, ply int, found entry) {
	slot, key := t.slot(key)
	e := &slot[0]
	switch {
	case slot[0].key == key && slot[0].bound != noBound:
	case slot[1].key == key && slot[1].bound != noBound:
		e = &slot[1]
	case slot[0].bound != noBound && slot[0].age == t.age && slot[0].depth > found.depth:
		e = &slot[1]
	}
	if found.move == 0 && e.key == key {
		found.move = e.move
	}
	found.key, found.age = key, t.age
	found.score = int16(scoreToTable(int(found.score), ply))
	*e = found
}
