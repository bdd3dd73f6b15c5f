package search

import "qhsh/engine/xiangqi"

// fullReplyDepth is the last iteration that does not prune the replies to root moves, so that a
// quiet sacrifice that mates in two is not missed.
const fullReplyDepth = 6

// Depths to which, or from which, rules apply.
const (
	reverseDepth    = 8
	probCutDepth    = 5
	nullVerifyDepth = 12
)

// pruneNode reports whether a node outside the PV that is not in check can return a score without
// searching its moves.
func (w *worker) pruneNode(ply, depth, alpha, beta int, cutNode bool, ttEntry entry) (int, bool) {
	f, o := &w.stack[ply], &w.options
	if ply == 1 && w.depth <= fullReplyDepth {
		return 0, false
	}
	v := w.refineEval(f.eval, ttEntry)
	if o.Razoring && depth <= 3 && v+o.Margins.RazorBase+o.Margins.RazorPly*depth*depth <= alpha && !isDecided(alpha) {
		if q := w.qsearch(ply, 0, alpha, beta); q <= alpha || w.budget.stopped {
			return q, true
		}
	}
	if isDecided(beta) {
		return 0, false
	}
	margin := o.Margins.Reverse * depth
	if f.improving {
		margin -= o.Margins.Reverse
	}
	if before := w.frameBefore(ply, 1); before.eval != noEval && f.eval > -before.eval {
		margin -= o.Margins.Reverse / 3 // the other side's last move has made its position worse
	}
	if o.ReverseFutility && depth <= reverseDepth && v >= beta && v-margin >= beta && !isDecided(v) {
		return (v + beta) / 2, true
	}
	if o.NullMove && cutNode && v >= beta && depth >= 2 && w.canNullMove(ply, depth, beta) {
		if v, ok := w.nullMoveSearch(ply, depth, beta, v); ok {
			return v, true
		}
	}
	if o.ProbCut && depth >= probCutDepth && !w.ttRefutesProbCut(ttEntry, depth, beta) {
		return w.probCut(ply, depth, beta+o.Margins.ProbCut, cutNode, ttEntry)
	}
	return 0, false
}

// refineEval returns the static evaluation, or the score of the TT entry if its bound is tighter.
func (w *worker) refineEval(v int, ttEntry entry) int {
	switch {
	case !w.options.HashCut, isDecided(ttEntry.score):
	case ttEntry.bound == boundExact, ttEntry.bound == boundLower && ttEntry.score > v, ttEntry.bound == boundUpper && ttEntry.score < v:
		return ttEntry.score
	}
	return v
}

// canNullMove reports whether a null move should be tried: the last move was not one, the
// evaluation is not far below beta, and the side to move has more than defenders and pawns
// (zugzwang).
func (w *worker) canNullMove(ply, depth, beta int) bool {
	before, m := w.frameBefore(ply, 1), &w.options.Margins
	return ply > w.nmpMinPly && !(ply > 0 && before.move == 0) && w.stack[ply].eval >= beta+m.NullBase-m.NullPly*depth && w.hasAttackers()
}

// nullMoveSearch passes and searches whether the score still reaches beta.
func (w *worker) nullMoveSearch(ply, depth, beta, staticEval int) (int, bool) {
	r := (3328+412*depth)/1024 + min(3, (staticEval-beta)/w.options.Margins.NullReduce)
	if !w.makeNullMove(ply) {
		return 0, true
	}
	v := -w.search(ply+1, depth-r, -beta, -beta+1, false)
	w.board.Undo()
	if w.budget.stopped {
		return 0, true
	}
	if v < beta {
		return 0, false
	}
	if isDecided(v) {
		v = beta // a null move does not prove a mate
	}
	if !w.options.NullVerify || depth < nullVerifyDepth || w.nmpMinPly > 0 {
		return v, true
	}
	return v, w.verifyNullMove(ply, depth-r, beta)
}

// verifyNullMove searches the node again with null moves disabled for some plies.
func (w *worker) verifyNullMove(ply, depth, beta int) bool {
	w.nmpMinPly = ply + 3*depth/4
	v := w.search(ply, depth, beta-1, beta, false)
	w.nmpMinPly = 0
	return v >= beta || w.budget.stopped
}

// hasAttackers reports whether the side to move has a rook, a horse or a cannon.
func (w *worker) hasAttackers() bool {
	b := w.board
	s := b.Side()
	return !b.Pieces(s, xiangqi.Rook).Or(b.Pieces(s, xiangqi.Horse)).Or(b.Pieces(s, xiangqi.Cannon)).Empty()
}

// ttRefutesProbCut reports whether the TT entry shows that ProbCut would fail.
func (w *worker) ttRefutesProbCut(ttEntry entry, depth, beta int) bool {
	return ttEntry.bound != boundNone && ttEntry.bound != boundLower && ttEntry.depth >= depth-3 && ttEntry.score < beta+w.options.Margins.ProbCut
}

// probCut looks for a capture that exceeds beta by a margin in a reduced search, so that the full
// search would almost certainly fail high too.
func (w *worker) probCut(ply, depth, beta int, cutNode bool, ttEntry entry) (int, bool) {
	f := &w.stack[ply]
	ttMove := ttEntry.move
	if ttMove != 0 && !(w.board.Legal(ttMove) && !w.quiet(ttMove)) {
		ttMove = 0
	}
	f.picker.reset(ttMove, true, false)
	for m := w.nextMove(ply); m != 0; m = w.nextMove(ply) {
		if !w.seeGE(m, beta-f.eval) {
			continue
		}
		if !w.makeMove(ply, m) {
			return 0, true
		}
		v := -w.qsearch(ply+1, 0, -beta, -beta+1)
		if v >= beta && !w.budget.stopped {
			v = -w.search(ply+1, depth-4, -beta, -beta+1, !cutNode)
		}
		w.unmakeMove()
		if w.budget.stopped {
			return 0, true
		}
		if v >= beta {
			w.table.store(w.board.Key(), ply, entry{m, v, f.rawEval, depth - 3, boundLower, f.pv})
			if isDecided(v) {
				return v, true
			}
			return v - w.options.Margins.ProbCut, true
		}
	}
	return 0, false
}
