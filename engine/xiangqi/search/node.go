package search

import (
	"math/bits"

	"qhsh/engine/xiangqi"
)

// node is the score of the position at ply, searched depth plies deep, for the side
// to move. Within the window it is the true one; at or beyond its ends it is a
// bound. A node with an open window is on the way to a line that is shown, so
// nothing is cut there on the table's word. After a null move (passed) another is
// not tried. When the budget runs out the score
// means nothing and nobody may use it.
func (w *worker) node(ply, depth, alpha, beta int, passed bool) int {
	b, f, o := w.board, &w.stack[ply], &w.options
	open := beta-alpha > 1
	w.lines[ply].count = 0
	if v, ok := w.repeated(ply); ok {
		return v
	}
	inCheck := b.InCheck()
	if o.CheckExtension && inCheck && ply < 2*w.depth {
		depth++
	}
	if depth <= 0 || ply >= maxPly {
		return w.quiesce(ply, alpha, beta)
	}
	if o.MateDistance {
		alpha, beta = max(alpha, lost(ply)), min(beta, -lost(ply+1))
		if alpha >= beta {
			return alpha
		}
	}
	key := b.Key()
	known, hit := w.table.probe(key, ply)
	if hit && !open && o.HashCut && known.depth >= depth && cuts(known, alpha, beta) {
		return known.score
	}
	w.stack[ply+2].killers = [2]xiangqi.Move{}
	f.eval = noEval
	if !inCheck {
		f.eval = w.evaluate(f, known, hit)
		if !open {
			if v, ok := w.forgo(ply, depth, beta, passed); ok {
				return v
			}
		}
	}
	if o.HashReduce && known.move == 0 && depth >= 5 {
		depth--
	}

	f.picker.reset(known.move, false)
	best, floor, count := -infinity, alpha, 0
	var move xiangqi.Move
	for m := w.pick(ply); m != 0; m = w.pick(ply) {
		count++
		quiet := w.quiet(m)
		if quiet && best > -ruleBand && w.skips(ply, depth, alpha, count, m) {
			continue
		}
		if quiet {
			f.picker.try(m)
		}
		if !w.enter(ply, m) {
			return 0
		}
		v := w.child(ply, depth, alpha, beta, count, quiet && !inCheck)
		b.Undo()
		if w.budget.stopped {
			return 0
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
			if quiet {
				w.learn(ply, depth, m, f.picker.failed())
			}
			break
		}
	}
	if count == 0 {
		return lost(ply)
	}
	w.table.store(key, ply, entry{move, best, f.eval, depth, boundOf(best, floor, beta)})
	return best
}

// child is the score of the position after the count-th move of a node, which has
// been made. The first is searched with the whole window; a later one has to show
// first, with an empty window and perhaps less deep, that it is better.
func (w *worker) child(ply, depth, alpha, beta, count int, late bool) int {
	if count == 1 {
		return -w.node(ply+1, depth-1, -beta, -alpha, false)
	}
	open := beta-alpha > 1
	r := 0
	if late && !w.board.InCheck() {
		r = w.reduction(ply, depth, count, open)
	}
	v := -w.node(ply+1, depth-1-r, -alpha-1, -alpha, false)
	if v > alpha && r > 0 && !w.budget.stopped {
		v = -w.node(ply+1, depth-1, -alpha-1, -alpha, false)
	}
	if v > alpha && open && !w.budget.stopped {
		v = -w.node(ply+1, depth-1, -beta, -alpha, false)
	}
	return v
}

// reduction is how many plies less a late quiet move is searched at first.
func (w *worker) reduction(ply, depth, count int, open bool) int {
	if !w.options.LateMoveReduce || depth < 3 || count < 3 {
		return 0
	}
	f := &w.stack[ply]
	r := log16(depth) * log16(count) / 1000
	if open {
		r--
	}
	if f.move == f.killers[0] || f.move == f.killers[1] {
		r--
	}
	r -= int(w.history.quiet[f.piece][f.move.To()]) / (historyMax / 2)
	return max(0, min(r, depth-2))
}

// log16 is 16 times the binary logarithm, in whole numbers so that it is the same
// everywhere; between two powers of two it is a straight line.
func log16(n int) int {
	k := bits.Len(uint(n)) - 1
	return 16*k + n<<4>>k - 16
}

// patient is the last iteration that looks at the replies to every root move, however
// bad the move seems, so that a quiet sacrifice that mates in two is not passed over.
const patient = 4

// forgo tells whether a node that is not in check is so good already that it needs
// no search.
func (w *worker) forgo(ply, depth, beta int, passed bool) (int, bool) {
	f, o := &w.stack[ply], &w.options
	if isDecided(beta) || f.eval < beta || ply == 1 && w.depth <= patient {
		return 0, false
	}
	if o.ReverseFutility && depth <= 6 && f.eval-80*depth >= beta {
		return f.eval, true
	}
	if !o.NullMove || passed || depth < 2 || !w.hasAttackers() {
		return 0, false
	}
	return w.tryNull(ply, depth, beta)
}

// tryNull passes and sees whether the score still holds.
func (w *worker) tryNull(ply, depth, beta int) (int, bool) {
	r := 3 + depth/4 + min(2, (w.stack[ply].eval-beta)/200)
	if !w.pass(ply) {
		return 0, true
	}
	v := -w.node(ply+1, depth-1-r, -beta, -beta+1, true)
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
	return v, true
}

// hasAttackers tells whether the side to move has more than guards and pawns; else
// having to move may be what hurts it.
func (w *worker) hasAttackers() bool {
	b := w.board
	s := b.Side()
	return !b.Pieces(s, xiangqi.Rook).Or(b.Pieces(s, xiangqi.Horse)).Or(b.Pieces(s, xiangqi.Cannon)).Empty()
}

// skips tells whether a quiet move near the horizon is not worth a look: it is too
// late in the order, or too far below the window.
func (w *worker) skips(ply, depth, alpha, count int, m xiangqi.Move) bool {
	f, o := &w.stack[ply], &w.options
	if f.eval == noEval || depth > 5 || isDecided(alpha) {
		return false
	}
	late := o.LateMovePruning && count > 6+2*depth*depth
	futile := o.Futility && f.eval+100+110*depth <= alpha
	return (late || futile) && !w.board.GivesCheck(m)
}
