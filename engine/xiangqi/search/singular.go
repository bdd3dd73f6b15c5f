package search

// singularDepth is the least depth at which a move may be found to be singular.
const singularDepth = 7

// mayBeSingular reports whether the table's word on a node is good enough to ask whether
// its move is the only good one.
func (w *worker) mayBeSingular(ply, depth int, known entry) bool {
	return w.options.Singular && w.stack[ply].excluded == 0 && depth >= singularDepth && ply < 2*w.depth &&
		known.depth >= depth-3 && (known.bound == lower || known.bound == exact) && !isDecided(known.score)
}

// singular searches a node without the table's move, half as deep. If everything else
// is clearly worse, that move is extended. If something else beats the window as
// well, the whole node is cut: v is its score and ok is true. If the move seems to
// cut but is not alone, it is searched less deep. The picker is left as it was.
func (w *worker) singular(ply, depth, beta int, cut bool, known entry) (extend, v int, ok bool) {
	f, o := &w.stack[ply], &w.options
	bound := known.score - 2*depth
	f.excluded = known.move
	v = w.node(ply, (depth-1)/2, bound-1, bound, cut)
	f.excluded = 0
	if w.budget.stopped {
		return 0, 0, true
	}
	f.picker.reset(known.move, false, false)
	w.pick(ply)
	switch {
	case v < bound:
		return 1, 0, false
	case o.Multicut && bound >= beta:
		return 0, bound, true
	case o.SingularReduce && (known.score >= beta || cut):
		return -1, 0, false
	}
	return 0, 0, false
}
