package search

import (
	"qhsh/engine/alphabeta"
	"qhsh/engine/checkers"
)

// fromTo is the start and end square of a move. It may be ambiguous, which is good enough for move
// ordering.
type fromTo = uint16

func fromToOf(m checkers.Move) fromTo { return fromTo(m & (1<<12 - 1)) }

// A bucket has the deeper entry and the latest one.
type bucket = [2]alphabeta.Entry

// store stores the result of the node at ply.
func (w *worker) store(key uint64, ply int, found alphabeta.Entry) {
	b, key := w.table.Bucket(key)
	e := &b[0]
	switch {
	case b[0].Holds(key):
	case b[1].Holds(key):
		e = &b[1]
	case b[0].Bound != alphabeta.NoBound && b[0].Age == w.age && b[0].Depth > found.Depth:
		e = &b[1]
	}
	found.Age = w.age
	e.Set(key, ply, found)
}
