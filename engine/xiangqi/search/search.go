package search

import "qhsh/engine/xiangqi"

// search is the score of the position at ply, searched depth plies deep, for the side
// to move. Within the window it is the true one; at or beyond its ends it is a
// bound. A node with an open window is on the way to a line that is shown, so
// nothing is cut there on the table's word. Of any other, cut reports whether it is
// expected to fail high. When the budget runs out the score means nothing and nobody
// may use it.
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
		if ttHit && !pvNode && w.ttCutoff(ttEntry, alpha, beta) && ttEntry.depth >= depth {
			w.ttMoveBonus(ply, depth, beta, ttEntry)
			return ttEntry.score
		}
		w.stack[ply+2].killers = [2]xiangqi.Move{}
		w.stack[ply+2].cutoffCount = 0
		f.rawEval, f.eval = noEval, noEval
		if !inCheck {
			w.evaluate(f, ttEntry, ttHit)
		}
		f.inCheck, f.improving = inCheck, w.improving(ply)
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
	if kind == boundUpper {
		w.historyBonus(ply, depth)
	}
	w.updateCorrection(f, best, depth, kind, move)
	w.table.store(key, ply, entry{move, best, f.rawEval, depth, kind})
	return best
}

// searchMoves searches the moves of a node: the best score, and the move that has raised it into
// the window. The score alone counts where it is not whole: the budget has run out, the node
// is cut by a search without the table's move, or there is no move.
func (w *worker) searchMoves(ply, depth, alpha, beta int, cutNode bool, ttEntry entry) (best int, move xiangqi.Move, whole bool) {
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

// searchChild is the score of the position after a move, which has been made. The first is
// searched with the whole window; a later one has to show first, with an empty
// window and r plies less deep, that it is better.
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
	v := -w.search(ply+1, depth-r, -alpha-1, -alpha, true)
	if v > alpha && !w.budget.stopped {
		v = -w.search(ply+1, depth, -alpha-1, -alpha, !cutNode)
	}
	if v > alpha && pvNode && !w.budget.stopped {
		v = -w.search(ply+1, depth, -beta, -alpha, false)
	}
	return v
}

// ttMoveBonus teaches the history that the table's move cuts here again.
func (w *worker) ttMoveBonus(ply, depth, beta int, ttEntry entry) {
	m := ttEntry.move
	if ttEntry.score >= beta && m != 0 && w.options.HashHistory && w.board.Legal(m) && w.quiet(m) {
		w.updateQuietHistories(ply, m, statBonus(depth)/2)
	}
}

// updateCorrection teaches the correction how far the static evaluation was off, where the
// score tells.
func (w *worker) updateCorrection(f *frame, v, depth int, kind bound, m xiangqi.Move) {
	switch {
	case !w.options.Correction, f.rawEval == noEval, isDecided(v):
	case m != 0 && !w.quiet(m):
	case kind == boundLower && v <= f.eval, kind == boundUpper && v >= f.eval:
	default:
		w.correction.update(v-f.eval, depth, w.board.Side(), f.keys)
	}
}
