package search

// singularDepth is the least depth at which a move may be found to be singular.
const singularDepth = 7

// canTestSingular reports whether the table's word on a node is good enough to ask whether
// its move is the only good one.
func (w *worker) canTestSingular(ply, depth int, ttEntry entry) bool {
	return w.options.Singular && w.stack[ply].excludedMove == 0 && depth >= singularDepth && ply < 2*w.depth &&
		ttEntry.depth >= depth-3 && (ttEntry.bound == boundLower || ttEntry.bound == boundExact) && !isDecided(ttEntry.score)
}

// singularExtension searches a node without the table's move, half as deep. If everything else
// is clearly worse, that move is extended. If something else beats the window as
// well, the whole node is cut: v is its score and ok is true. If the move seems to
// cut but is not alone, it is searched less deep. The picker is left as it was.
func (w *worker) singularExtension(ply, depth, beta int, cutNode bool, ttEntry entry) (extend, v int, ok bool) {
	f, o := &w.stack[ply], &w.options
	singularBeta := ttEntry.score - 2*depth
	f.excludedMove = ttEntry.move
	v = w.search(ply, (depth-1)/2, singularBeta-1, singularBeta, cutNode)
	f.excludedMove = 0
	if w.budget.stopped {
		return 0, 0, true
	}
	f.picker.reset(ttEntry.move, false, false)
	w.nextMove(ply)
	switch {
	case v < singularBeta:
		return 1, 0, false
	case o.Multicut && singularBeta >= beta:
		return 0, singularBeta, true
	case o.SingularReduce && (ttEntry.score >= beta || cutNode):
		return -1, 0, false
	}
	return 0, 0, false
}
