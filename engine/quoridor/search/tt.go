package search

import "qhsh/engine/quoridor"

// A bound is the relation of a stored score to the true one.
type bound uint8

const (
	boundNone bound = iota
	boundExact
	boundLower
	boundUpper
)

// An entry is a stored position: 16 bytes.
type entry struct {
	key   uint64
	move  quoridor.Action
	score int16
	depth int8
	bound bound
	_     uint16
}

// A table maps keys of positions to entries. clear changes the salt of the keys, so that older
// entries are not found.
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

// probe returns the entry of a position; scores are relative to the root.
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
		return // the same position, searched much deeper
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
