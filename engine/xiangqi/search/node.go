package search

import "qhsh/engine/xiangqi"

// node is the score of the position at ply, searched depth plies deep, for the side
// to move. Within the window it is the true one; at or beyond its ends it is a
// bound. A node with an open window is on the way to a line that is shown, so
// nothing is cut there on the table's word. Of any other, cut reports whether it is
// expected to fail high. When the budget runs out the score means nothing and nobody
// may use it.
func (w *worker) node(ply, depth, alpha, beta int, cut bool) int {
	b, f, o := w.board, &w.stack[ply], &w.options
	open := beta-alpha > 1
	w.lines[ply].count = 0
	if v, ok := w.over(ply); ok {
		return v
	}
	inCheck := b.InCheck()
	if o.CheckExtension && inCheck && ply < 2*w.depth {
		depth++
	}
	if depth <= 0 || ply >= maxPly {
		return w.quiesce(ply, 0, alpha, beta)
	}
	if o.MateDistance {
		alpha, beta = max(alpha, lost(ply)), min(beta, -lost(ply+1))
		if alpha >= beta {
			return alpha
		}
	}
	key := b.Key()
	known, hit := w.table.probe(key, ply)
	if f.excluded == 0 {
		if hit && !open && w.believes(known, alpha, beta) && known.depth >= depth {
			w.confirm(ply, depth, beta, known)
			return known.score
		}
		w.stack[ply+2].killers = [2]xiangqi.Move{}
		w.stack[ply+2].cutoffs = 0
		f.raw, f.eval = noEval, noEval
		if !inCheck {
			w.evaluate(f, known, hit)
		}
		f.inCheck, f.improving = inCheck, w.improving(ply)
		if !inCheck && !open {
			if v, ok := w.forgo(ply, depth, alpha, beta, cut, known); ok {
				return v
			}
		}
	}
	if o.HashReduce && known.move == 0 && depth >= 4 && (open || cut) {
		depth--
	}

	best, move, whole := w.choose(ply, depth, alpha, beta, cut, known)
	if !whole || f.excluded != 0 {
		return best
	}
	kind := boundOf(best, alpha, beta)
	if kind == upper {
		w.praise(ply, depth)
	}
	w.observe(f, best, depth, kind, move)
	w.table.store(key, ply, entry{move, best, f.raw, depth, kind})
	return best
}

// choose searches the moves of a node: the best score, and the move that has raised it into
// the window. The score alone counts where it is not whole: the budget has run out, the node
// is cut by a search without the table's move, or there is no move.
func (w *worker) choose(ply, depth, alpha, beta int, cut bool, known entry) (best int, move xiangqi.Move, whole bool) {
	f, o := &w.stack[ply], &w.options
	f.picker.reset(known.move, false, false)
	open, count := beta-alpha > 1, 0
	best = -infinity
	for m := w.pick(ply); m != 0; m = w.pick(ply) {
		if m == f.excluded {
			continue
		}
		count++
		quiet := w.quiet(m)
		if best > -ruleBand && w.skips(ply, depth, alpha, count, m) {
			continue
		}
		extend := 0
		if m == known.move && w.mayBeSingular(ply, depth, known) {
			v, ok := 0, false
			if extend, v, ok = w.singular(ply, depth, beta, cut, known); ok || w.budget.stopped {
				return v, 0, false
			}
		}
		f.picker.try(m, quiet)
		if !w.enter(ply, m) {
			return 0, 0, false
		}
		r := 0
		if count > 1 && o.LateMoveReduce && depth >= 3 {
			r = w.reduction(ply, depth, count, open, cut)
		}
		v := w.child(ply, depth-1+extend, r, alpha, beta, count == 1, cut)
		w.leave()
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
		if open {
			w.lines[ply].begin(m, &w.lines[ply+1])
		}
		if v >= beta {
			f.cutoffs++
			w.learn(ply, depth, m)
			break
		}
	}
	switch {
	case count > 0:
		return best, move, true
	case f.excluded != 0:
		return alpha, 0, false
	}
	return lost(ply), 0, false
}

// child is the score of the position after a move, which has been made. The first is
// searched with the whole window; a later one has to show first, with an empty
// window and r plies less deep, that it is better.
func (w *worker) child(ply, depth, r, alpha, beta int, first, cut bool) int {
	open := beta-alpha > 1
	if first && open {
		return -w.node(ply+1, depth, -beta, -alpha, false)
	}
	if r == 0 {
		v := -w.node(ply+1, depth, -alpha-1, -alpha, !cut)
		if v <= alpha || !open || w.budget.stopped {
			return v
		}
		return -w.node(ply+1, depth, -beta, -alpha, false)
	}
	v := -w.node(ply+1, depth-r, -alpha-1, -alpha, true)
	if v > alpha && !w.budget.stopped {
		v = -w.node(ply+1, depth, -alpha-1, -alpha, !cut)
	}
	if v > alpha && open && !w.budget.stopped {
		v = -w.node(ply+1, depth, -beta, -alpha, false)
	}
	return v
}

// confirm teaches the history that the table's move cuts here again.
func (w *worker) confirm(ply, depth, beta int, known entry) {
	m := known.move
	if known.score >= beta && m != 0 && w.options.HashHistory && w.board.Legal(m) && w.quiet(m) {
		w.adjustQuiet(ply, m, bonusOf(depth)/2)
	}
}

// observe teaches the correction how far the static evaluation was off, where the
// score tells.
func (w *worker) observe(f *frame, v, depth int, kind bound, m xiangqi.Move) {
	switch {
	case !w.options.Correction, f.raw == noEval, isDecided(v):
	case m != 0 && !w.quiet(m):
	case kind == lower && v <= f.eval, kind == upper && v >= f.eval:
	default:
		w.correction.learn(v-f.eval, depth, w.board.Side(), f.keys)
	}
}
