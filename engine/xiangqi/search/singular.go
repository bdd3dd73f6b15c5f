package search

// singularDepth is the minimum depth of singular extensions; it is one more in the PV.
const singularDepth = 5

// canTestSingular reports whether the TT entry is deep enough to test whether its move is singular.
func (w *worker) canTestSingular(ply, depth int, ttEntry entry) bool {
	least := singularDepth
	if w.stack[ply].pv {
		least++
	}
	return w.options.Singular && w.stack[ply].excludedMove == 0 && depth >= least && ply < 2*w.depth &&
		ttEntry.depth >= depth-3 && (ttEntry.bound == boundLower || ttEntry.bound == boundExact) && !isDecided(ttEntry.score)
}

// singularExtension searches a node without the TT move at half depth. If all other moves are
// clearly worse, the TT move is extended. If another one also reaches beta, the node is cut: v is
// its score and ok is true. If the TT move is likely to cut but is not singular, it is reduced. The
// move picker's state is restored.
func (w *worker) singularExtension(ply, depth, beta int, cutNode bool, ttEntry entry) (extend, v int, ok bool) {
	f, o := &w.stack[ply], &w.options
	singularBeta := ttEntry.score - o.Margins.Singular*depth
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
		if o.DoubleExtension && !f.pv && v < singularBeta-o.Margins.Double {
			return 2, 0, false
		}
		return 1, 0, false
	case o.Multicut && singularBeta >= beta:
		return 0, singularBeta, true
	case o.SingularReduce && (ttEntry.score >= beta || cutNode):
		return -1, 0, false
	}
	return 0, 0, false
}
