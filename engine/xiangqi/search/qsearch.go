package search

import (
	"qhsh/engine/xiangqi"
	"qhsh/engine/xiangqi/eval"
)

// qsearch returns the score of a node where only captures and check evasions are searched, so that
// no exchange is cut short. At qsPly 0 quiet checks are searched too.
func (w *worker) qsearch(ply, qsPly, alpha, beta int) int {
	b, f, o := w.board, &w.stack[ply], &w.options
	w.pvs[ply].length = 0
	inCheck := b.InCheck()
	if inCheck || qsPly == 1 && o.QuietChecks {
		if v, ok := w.endOfGame(ply); ok {
			return v
		}
	} else if b.QuietPlies() == 0 {
		if w.lacksAttackers() {
			return w.drawScore(ply)
		}
		if o.Endings != nil {
			if v, ok := w.endingScore(ply); ok {
				return v
			}
		}
	} else if qsPly > 0 {
		if v, ok := w.endAfterEvasion(ply); ok {
			return v
		}
	}
	key := b.Key()
	ttEntry, ttHit := w.table.probe(key, ply)
	if ttHit && w.ttCutoff(ttEntry, ply, alpha, beta) {
		return ttEntry.score
	}
	switch {
	case ply < maxPly:
	case inCheck:
		return w.drawScore(ply) // evaluators are not made for checks
	default:
		return w.staticEval()
	}
	best := -infinity
	f.rawEval, f.eval = noEval, noEval
	if !inCheck {
		w.evaluate(f, ttEntry, ttHit)
		best = w.refineEval(f.eval, ttEntry)
	}
	if best >= beta {
		return w.damped(best, beta, 1)
	}
	w.stack[ply+2].killers = [2]xiangqi.Move{}
	oldAlpha, staticEval := alpha, best
	alpha = max(alpha, best)
	f.picker.reset(ttEntry.move, !inCheck, o.QuietChecks && qsPly == 0)
	var move xiangqi.Move
	for m := w.nextMove(ply); m != 0; m = w.nextMove(ply) {
		if !inCheck && w.skipInQsearch(m, staticEval, alpha) {
			continue
		}
		if inCheck && o.EvasionPruning && best > -ruleBand && w.quiet(m) && f.picker.quietCount > 2 {
			continue
		}
		f.picker.recordTried(m, w.quiet(m))
		if !w.makeMove(ply, m) {
			return 0
		}
		v := -w.qsearch(ply+1, qsPly+1, -beta, -alpha)
		w.unmakeMove()
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
		w.pvs[ply].update(m, &w.pvs[ply+1])
		if v >= beta {
			break
		}
	}
	if inCheck && best == -infinity {
		return matedIn(ply)
	}
	if best > beta {
		best = w.damped(best, beta, 1)
	}
	w.table.store(key, ply, entry{move, best, f.rawEval, 0, boundOf(best, oldAlpha, beta), ttEntry.pv})
	return best
}

// skipInQsearch reports whether a capture cannot reach alpha or loses material.
func (w *worker) skipInQsearch(m xiangqi.Move, staticEval, alpha int) bool {
	gain := eval.Value(w.board.At(m.To()).Kind())
	if w.options.DeltaPruning && gain > 0 && !isDecided(alpha) && staticEval+gain+w.options.Margins.Delta <= alpha && !w.board.GivesCheck(m) {
		return true
	}
	return w.options.ExchangePruning && !w.seeGE(m, 0)
}

// ttCutoff reports whether the score of a TT entry may be returned for the node.
func (w *worker) ttCutoff(e entry, ply, alpha, beta int) bool {
	return w.options.HashCut && boundDecides(e, alpha, beta) && w.board.QuietPlies() < w.endRules.ttSafePlies &&
		(!isMate(e.score) || w.mateHolds(e.score, ply))
}

// boundDecides reports whether an entry's score and bound are sufficient for a cutoff with this
// window.
func boundDecides(e entry, alpha, beta int) bool {
	switch e.bound {
	case boundExact:
		return true
	case boundLower:
		return e.score >= beta
	case boundUpper:
		return e.score <= alpha
	}
	return false
}

// boundOf returns the bound type of a score found with this window.
func boundOf(v, alpha, beta int) bound {
	switch {
	case v >= beta:
		return boundLower
	case v <= alpha:
		return boundUpper
	}
	return boundExact
}
