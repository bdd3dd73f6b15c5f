package search

import "qhsh/engine/xiangqi"

// patient is the last iteration that looks at the replies to every root move, however
// bad the move seems, so that a quiet sacrifice that mates in two is not passed over.
const patient = 6

// Margins in centipawns, most of them a ply.
const (
	razorBase       = 260
	razorPly        = 180
	reverseMargin   = 70
	reverseDepth    = 8
	probCutMargin   = 160
	probCutDepth    = 5
	nullVerifyDepth = 12
)

// forgo reports whether a node that is not in check, with an empty window, is so good
// or so bad already that it needs no search of its moves.
func (w *worker) forgo(ply, depth, alpha, beta int, cut bool, known entry) (int, bool) {
	f, o := &w.stack[ply], &w.options
	if ply == 1 && w.depth <= patient {
		return 0, false
	}
	v := w.sharper(f.eval, known)
	if o.Razoring && depth <= 3 && v+razorBase+razorPly*depth*depth <= alpha && !isDecided(alpha) {
		if q := w.quiesce(ply, 0, alpha, beta); q <= alpha || w.budget.stopped {
			return q, true
		}
	}
	if isDecided(beta) {
		return 0, false
	}
	margin := reverseMargin * depth
	if f.improving {
		margin -= reverseMargin
	}
	if o.ReverseFutility && depth <= reverseDepth && v >= beta && v-margin >= beta && !isDecided(v) {
		return (v + beta) / 2, true
	}
	if o.NullMove && v >= beta && depth >= 2 && w.mayPass(ply, depth, beta) {
		if v, ok := w.tryNull(ply, depth, beta, v); ok {
			return v, true
		}
	}
	if o.ProbCut && depth >= probCutDepth && !w.refutesProbCut(known, depth, beta) {
		return w.probCut(ply, depth, beta+probCutMargin, cut, known)
	}
	return 0, false
}

// sharper is the evaluation, or the score that the table knows where it says more.
func (w *worker) sharper(v int, known entry) int {
	switch {
	case !w.options.HashCut, isDecided(known.score):
	case known.bound == exact, known.bound == lower && known.score > v, known.bound == upper && known.score < v:
		return known.score
	}
	return v
}

// mayPass reports whether a null move is worth a try: nobody has just passed, the
// position is not far below what has to be shown, and the side to move has more than
// guards and pawns; else having to move may be what hurts it.
func (w *worker) mayPass(ply, depth, beta int) bool {
	before := w.before(ply, 1)
	return ply > w.alone && !(ply > 0 && before.move == 0) && w.stack[ply].eval+15*depth-90 >= beta-15*depth && w.hasAttackers()
}

// tryNull passes and sees whether the score still holds.
func (w *worker) tryNull(ply, depth, beta, static int) (int, bool) {
	r := 3 + depth/3 + min(3, (static-beta)/150)
	if !w.pass(ply) {
		return 0, true
	}
	v := -w.node(ply+1, depth-r, -beta, -beta+1, false)
	w.board.Undo()
	if w.budget.stopped {
		return 0, true
	}
	if v < beta {
		return 0, false
	}
	if isDecided(v) {
		v = beta // what passing proves is not a mate
	}
	if !w.options.NullVerify || depth < nullVerifyDepth || w.alone > 0 {
		return v, true
	}
	return v, w.verify(ply, depth-r, beta)
}

// verify searches a node that passing has cut without passing, for a while.
func (w *worker) verify(ply, depth, beta int) bool {
	w.alone = ply + 3*depth/4
	v := w.node(ply, depth, beta-1, beta, false)
	w.alone = 0
	return v >= beta || w.budget.stopped
}

// hasAttackers reports whether the side to move has more than guards and pawns.
func (w *worker) hasAttackers() bool {
	b := w.board
	s := b.Side()
	return !b.Pieces(s, xiangqi.Rook).Or(b.Pieces(s, xiangqi.Horse)).Or(b.Pieces(s, xiangqi.Cannon)).Empty()
}

// refutesProbCut reports whether the table knows already that a probcut fails.
func (w *worker) refutesProbCut(known entry, depth, beta int) bool {
	return known.bound != noBound && known.bound != lower && known.depth >= depth-3 && known.score < beta+probCutMargin
}

// probCut looks for a capture that beats the window by so much, in a search so much
// less deep, that the whole search would hardly say otherwise.
func (w *worker) probCut(ply, depth, beta int, cut bool, known entry) (int, bool) {
	f := &w.stack[ply]
	hash := known.move
	if hash != 0 && !(w.board.Legal(hash) && !w.quiet(hash)) {
		hash = 0
	}
	f.picker.reset(hash, true, false)
	for m := w.pick(ply); m != 0; m = w.pick(ply) {
		if !w.keeps(m, beta-f.eval) {
			continue
		}
		if !w.enter(ply, m) {
			return 0, true
		}
		v := -w.quiesce(ply+1, 0, -beta, -beta+1)
		if v >= beta && !w.budget.stopped {
			v = -w.node(ply+1, depth-4, -beta, -beta+1, !cut)
		}
		w.leave()
		if w.budget.stopped {
			return 0, true
		}
		if v >= beta {
			w.table.store(w.board.Key(), ply, entry{m, v, f.raw, depth - 3, lower})
			if isDecided(v) {
				return v, true
			}
			return v - probCutMargin, true
		}
	}
	return 0, false
}
