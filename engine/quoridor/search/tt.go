package search

import "qhsh/engine/alphabeta"

// A bucket has one entry.
type bucket = [1]alphabeta.Entry

// store stores the result of the node at ply.
func (w *worker) store(key uint64, ply int, found alphabeta.Entry) {
	b, key := w.table.Bucket(key)
	e := &b[0]
	if e.Holds(key) && found.Bound != alphabeta.Exact && found.Depth < e.Depth-2 {
		return // the same position, searched much deeper
	}
	e.Set(key, ply, found)
}
