package search

import "qhsh/engine/quoridor"

// A bound tells what an entry's score means.
type bound uint8

const (
	boundNone bound = iota
	boundExact
	boundLower
	boundUpper
)

// entry is what is known of a position: 16 bytes.
type entry struct {
	key   uint64
	move  quoridor.Action
	score int16
	depth int8
	bound bound
	_     uint16
}

// table maps keys of positions to entries, one a slot. What another life has stored is
// not found, since its keys were salted otherwise; the slots are the same in every life.
type table struct {
	entries []entry
	salt    uint64
}

func newTable(mib int) *table {
	n := 1
	for n*2*16 <= mib<<20 {
		n *= 2
	}
	return &table{entries: make([]entry, n)}
}

func (t *table) clear() { t.salt += 0x9e3779b97f4a7c15 }

func (t *table) slot(key uint64) (*entry, uint64) {
	return &t.entries[key&uint64(len(t.entries)-1)], key ^ t.salt
}

// probe returns what is known of a position; scores count from the node at ply.
func (t *table) probe(key uint64, ply int) (entry, bool) {
	e, key := t.slot(key)
	if e.bound == boundNone || e.key != key {
		return entry{}, false
	}
	found := *e
	found.score = int16(fromTable(int(e.score), ply))
	return found, true
}

func (t *table) store(key uint64, ply int, found entry) {
	e, key := t.slot(key)
	if e.key == key && e.bound != boundNone && found.bound != boundExact && found.depth < e.depth-2 {
		return // the same position, looked at much deeper
	}
	if found.move == 0 && e.key == key {
		found.move = e.move
	}
	found.key = key
	found.score = int16(toTable(int(found.score), ply))
	*e = found
}

// Wins are counted from the root in a search, and from the position in the table.

func toTable(score, ply int) int {
	switch {
	case score >= provenWin:
		return score + ply
	case score <= -provenWin:
		return score - ply
	}
	return score
}

func fromTable(score, ply int) int {
	switch {
	case score >= provenWin:
		return score - ply
	case score <= -provenWin:
		return score + ply
	}
	return score
}
