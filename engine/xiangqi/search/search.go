package search

import "qhsh/engine/xiangqi"

// search returns the score of the position at ply, searched depth plies deep, for the side to move.
// Within the window it is exact; outside it is a bound. In a PV node there are no cutoffs from the
// table. Elsewhere cutNode reports whether the node is expected to fail high. When the budget has
// run out the score is meaningless and must not be used.
func (w *worker) search(ply, depth, alpha, beta int, cutNode bool) int {
	b, f, o := w.board, &w.stack[ply], &w.options
	pvNode := beta-alpha > 1
	w.pvs[ply].length = 0
	if v, ok := w.endOfGame(ply); ok {
		return v
	}
	inCheck := b.InCheck()
	if o.CheckExtension && inCheck && ply < 2*w.depth {
		depth++
	}
	if depth <= 0 || ply >= maxPly {
		return w.qsearch(ply, 0, alpha, beta)
	}
	if o.MateDistance {
		alpha, beta = max(alpha, matedIn(ply)), min(beta, -matedIn(ply+1))
		if alpha >= beta {
			return alpha
		}
	}
	key := b.Key()
	ttEntry, ttHit := w.table.probe(key, ply)
	if f.excludedMove == 0 {
		if ttHit && !pvNode && w.ttCutoff(ttEntry, ply, alpha, beta) && ttEntry.depth >= depth {
			w.ttMoveBonus(ply, depth, beta, ttEntry)
			return ttEntry.score
		}
		w.enter(ply, inCheck, pvNode, ttEntry, ttHit)
		if o.Hindsight {
			depth += w.hindsight(ply, depth)
		}
		if !inCheck && !pvNode {
			if v, ok := w.pruneNode(ply, depth, alpha, beta, cutNode, ttEntry); ok {
				return v
			}
		}
	}
	if o.HashReduce && ttEntry.move == 0 && depth >= 4 && (pvNode || cutNode) {
		depth--
	}

	best, move, whole := w.searchMoves(ply, depth, alpha, beta, cutNode, ttEntry)
	if !whole || f.excludedMove != 0 {
		return best
	}
	kind := boundOf(best, alpha, beta)
	if kind == boundLower {
		best = w.damped(best, beta, depth)
	}
	if kind == boundUpper {
		w.historyBonus(ply, depth)
		f.pv = f.pv || w.frameBefore(ply, 1).pv // of a move that failed below a PV the refutation matters
	}
	w.updateCorrection(f, best, depth, kind, move)
	w.table.store(key, ply, entry{move, best, f.rawEval, depth, kind, f.pv})
	return best
}

// enter sets the frame of a node whose moves are to be searched.
func (w *worker) enter(ply int, inCheck, pvNode bool, ttEntry entry, ttHit bool) {
	f := &w.stack[ply]
	w.stack[ply+2].killers = [2]xiangqi.Move{}
	w.stack[ply+2].cutoffCount = 0
	f.rawEval, f.eval = noEval, noEval
	if !inCheck {
		w.evaluate(f, ttEntry, ttHit)
	}
	f.inCheck, f.improving, f.pv = inCheck, w.improving(ply), pvNode || ttEntry.pv
	f.ttCapture = ttEntry.move != 0 && w.board.At(ttEntry.move.To()) != xiangqi.Empty
	w.updateEvalHistory(ply)
}

// searchMoves searches the moves of a node and returns the best score and the move that raised
// alpha. complete is false if only the score is valid: the budget has run out, singular extension
// cut the node, or there is no legal move.
func (w *worker) searchMoves(ply, depth, alpha, beta int, cutNode bool, ttEntry entry) (best int, move xiangqi.Move, complete bool) {
	f, o := &w.stack[ply], &w.options
	f.picker.reset(ttEntry.move, false, false)
	pvNode, count := beta-alpha > 1, 0
	best = -infinity
	for m := w.nextMove(ply); m != 0; m = w.nextMove(ply) {
		if m == f.excludedMove {
			continue
		}
		count++
		quiet := w.quiet(m)
		if best > -ruleBand && w.skipMove(ply, depth, alpha, count, m) {
			if f.picker.unordered {
				count += f.picker.skipQuiets(w.board)
			}
			continue
		}
		extend := 0
		if m == ttEntry.move && w.canTestSingular(ply, depth, ttEntry) {
			v, ok := 0, false
			if extend, v, ok = w.singularExtension(ply, depth, beta, cutNode, ttEntry); ok || w.budget.stopped {
				return v, 0, false
			}
		}
		f.picker.recordTried(m, quiet)
		if !w.makeMove(ply, m) {
			return 0, 0, false
		}
		r := 0
		if count > 1 && o.LateMoveReduce && depth >= 3 {
			r = w.reduction(ply, depth, count, pvNode, cutNode)
		}
		v := w.searchChild(ply, depth-1+extend, r, alpha, beta, count == 1, cutNode)
		w.unmakeMove()
		if w.budget.stopped {
			return 0, 0, false
		}
		if v <= best {
			continue
		}
		best = v
		if v <= alpha {
			continue
		}
		alpha, move = v, m
		if pvNode {
			w.pvs[ply].update(m, &w.pvs[ply+1])
		}
		if v >= beta {
			f.cutoffCount++
			w.updateHistories(ply, depth, m)
			break
		}
	}
	switch {
	case count > 0:
		return best, move, true
	case f.excludedMove != 0:
		return alpha, 0, false
	}
	return matedIn(ply), 0, false
}

// searchChild returns the score of the position after a move that has been made. The first move is
// searched with the full window; a later one with a zero window and reduced by r plies first.
func (w *worker) searchChild(ply, depth, r, alpha, beta int, first, cutNode bool) int {
	pvNode := beta-alpha > 1
	if first && pvNode {
		return -w.search(ply+1, depth, -beta, -alpha, false)
	}
	if r == 0 {
		v := -w.search(ply+1, depth, -alpha-1, -alpha, !cutNode)
		if v <= alpha || !pvNode || w.budget.stopped {
			return v
		}
		return -w.search(ply+1, depth, -beta, -alpha, false)
	}
	f, reduced := &w.stack[ply], depth-r
	f.reduction = r
	v := -w.search(ply+1, reduced, -alpha-1, -alpha, true)
	f.reduction = 0
	if v > alpha && !w.budget.stopped {
		if w.options.DeeperResearch {
			depth += w.deeper(v-alpha, depth)
		}
		if depth > reduced {
			v = -w.search(ply+1, depth, -alpha-1, -alpha, !cutNode)
		}
	}
	if v > alpha && pvNode && !w.budget.stopped {
		v = -w.search(ply+1, depth, -beta, -alpha, false)
	}
	return v
}

// ttMoveBonus rewards the TT move when the TT entry causes a cutoff.
func (w *worker) ttMoveBonus(ply, depth, beta int, ttEntry entry) {
	m := ttEntry.move
	if ttEntry.score >= beta && m != 0 && w.options.HashHistory && w.board.Legal(m) && w.quiet(m) {
		w.updateQuietHistories(ply, m, statBonus(depth)/2)
	}
}

// updateCorrection updates the correction history with the error of the static evaluation, where
// the score's bound shows one.
func (w *worker) updateCorrection(f *frame, v, depth int, kind bound, m xiangqi.Move) {
	switch {
	case !w.options.Correction, f.rawEval == noEval, isDecided(v):
	case m != 0 && !w.quiet(m):
	case kind == boundLower && v <= f.eval, kind == boundUpper && v >= f.eval:
	default:
		w.correction.update(v-f.eval, depth, w.board.Side(), w.correctionKeys(f))
	}
}

// damped returns a score between beta and v, the score of a node that fails high, closer to v the deeper
// it was searched: how far v exceeds beta was not looked for.
func (w *worker) damped(v, beta, depth int) int {
	if !w.options.FailDamping || isDecided(v) || isDecided(beta) {
		return v
	}
	return (v*depth + beta) / (depth + 1)
}
