package search

import (
	"qhsh/engine/xiangqi"
	"qhsh/engine/xiangqi/eval"
)

// deltaMargin is what a capture may bring beyond its victim's value.
const deltaMargin = 120

// quiesce is the score of a node where only captures are looked at, and every
// evasion of a check, so that no exchange is judged halfway. At the first node of
// quiescence, deep being 0, quiet checks are looked at too.
func (w *worker) quiesce(ply, deep, alpha, beta int) int {
	b, f, o := w.board, &w.stack[ply], &w.options
	w.lines[ply].count = 0
	inCheck := b.InCheck()
	if inCheck || deep == 1 && o.QuietChecks {
		if v, ok := w.over(ply); ok {
			return v
		}
	} else if b.QuietPlies() == 0 && w.unarmed() {
		return w.draw(ply)
	}
	key := b.Key()
	known, hit := w.table.probe(key, ply)
	if hit && w.believes(known, alpha, beta) {
		return known.score
	}
	if ply >= maxPly {
		return w.static()
	}
	best := -infinity
	f.raw, f.eval = noEval, noEval
	if !inCheck {
		w.evaluate(f, known, hit)
		best = w.sharper(f.eval, known)
	}
	if best >= beta {
		return best
	}
	w.stack[ply+2].killers = [2]xiangqi.Move{}
	floor, static := alpha, best
	alpha = max(alpha, best)
	f.picker.reset(known.move, !inCheck, o.QuietChecks && deep == 0)
	var move xiangqi.Move
	for m := w.pick(ply); m != 0; m = w.pick(ply) {
		if !inCheck && w.hopeless(m, static, alpha) {
			continue
		}
		if inCheck && o.EvasionPruning && best > -ruleBand && w.quiet(m) && f.picker.quietCount > 2 {
			continue
		}
		f.picker.try(m, w.quiet(m))
		if !w.enter(ply, m) {
			return 0
		}
		v := -w.quiesce(ply+1, deep+1, -beta, -alpha)
		w.leave()
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
		w.lines[ply].begin(m, &w.lines[ply+1])
		if v >= beta {
			break
		}
	}
	if inCheck && best == -infinity {
		return lost(ply)
	}
	w.table.store(key, ply, entry{move, best, f.raw, 0, boundOf(best, floor, beta)})
	return best
}

// hopeless reports whether a capture cannot bring the score to alpha, or loses
// material.
func (w *worker) hopeless(m xiangqi.Move, static, alpha int) bool {
	gain := eval.Value(w.board.At(m.To()).Kind())
	if w.options.DeltaPruning && gain > 0 && !isDecided(alpha) && static+gain+deltaMargin <= alpha && !w.board.GivesCheck(m) {
		return true
	}
	return w.options.ExchangePruning && !w.keeps(m, 0)
}

// believes reports whether what the table knows may be taken for a node's score, and
// settles it.
func (w *worker) believes(e entry, alpha, beta int) bool {
	return w.options.HashCut && cuts(e, alpha, beta) && w.board.QuietPlies() < w.ends.safe
}

// cuts reports whether what the table knows settles a node with this window.
func cuts(e entry, alpha, beta int) bool {
	switch e.bound {
	case exact:
		return true
	case lower:
		return e.score >= beta
	case upper:
		return e.score <= alpha
	}
	return false
}

// boundOf is what a score tells that was found with this window.
func boundOf(v, alpha, beta int) bound {
	switch {
	case v >= beta:
		return lower
	case v <= alpha:
		return upper
	}
	return exact
}
