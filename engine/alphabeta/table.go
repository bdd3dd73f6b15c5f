package alphabeta

import (
	"cmp"
	"fmt"
)

const (
	// DefaultHash is the default size of a Table in MiB.
	DefaultHash = 16
	// MaxHash is the maximum size of a Table in MiB.
	MaxHash = 1 << 16
)

// A Bound is the relation of a stored score to the true one.
type Bound uint8

// The bounds. An entry without one is empty.
const (
	NoBound Bound = iota
	Exact
	LowerBound
	UpperBound
)

// An Entry is the result of searching a position, in 16 bytes.
type Entry struct {
	Key   uint64
	Move  uint16 // the best one, or what of it the game needs to recognize it; 0: unknown
	Score int16
	Depth int8
	Bound Bound
	Age   uint8 // for the game's choice of the entry to replace
}

// A Table is a transposition table: buckets of entries. Forget changes the salt of the keys, so that
// older entries are no longer found; the buckets stay the same. A game chooses the entry of a Bucket
// that it replaces with Set.
type Table[B [1]Entry | [2]Entry] struct {
	buckets []B
	salt    uint64
}

// NewTable returns a table of at most so many MiB; 0: DefaultHash.
func NewTable[B [1]Entry | [2]Entry](mib int) (*Table[B], error) {
	mib = cmp.Or(mib, DefaultHash)
	if mib < 1 || mib > MaxHash {
		return nil, fmt.Errorf("search: hash=%d: want 1 to %d MiB", mib, MaxHash)
	}
	n := 1
	for n*2*16*len(*new(B)) <= mib<<20 {
		n *= 2
	}
	return &Table[B]{buckets: make([]B, n)}, nil
}

// Forget empties the table.
func (t *Table[B]) Forget() { t.salt += 0x9e3779b97f4a7c15 }

// Bucket returns the entries among which a position is stored, and its Entry.Key.
func (t *Table[B]) Bucket(key uint64) (*B, uint64) {
	return &t.buckets[key&uint64(len(t.buckets)-1)], key ^ t.salt
}

// Probe returns the entry of a position. Its score counts from the node at ply.
func (t *Table[B]) Probe(key uint64, ply int) (Entry, bool) {
	b, key := t.Bucket(key)
	for i := range len(*b) {
		if e := &(*b)[i]; e.Holds(key) {
			found := *e
			found.Score = int16(addPlies(int(e.Score), ply))
			return found, true
		}
	}
	return Entry{}, false
}

// Holds reports whether the entry is that of a Key.
func (e *Entry) Holds(key uint64) bool { return e.Bound != NoBound && e.Key == key }

// Set replaces the entry. If no best move has been found, that of an earlier search stays.
func (e *Entry) Set(key uint64, ply int, found Entry) {
	if found.Move == 0 && e.Key == key {
		found.Move = e.Move
	}
	found.Key = key
	found.Score = int16(addPlies(int(found.Score), -ply))
	*e = found
}

// AllowsCutoff reports whether the score is enough to return from a node.
func (e Entry) AllowsCutoff(alpha, beta int) bool {
	switch e.Bound {
	case Exact:
		return true
	case LowerBound:
		return int(e.Score) >= beta
	case UpperBound:
		return int(e.Score) <= alpha
	}
	return false
}
