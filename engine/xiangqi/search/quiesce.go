package search

import (
	"qhsh/engine/xiangqi"
	"qhsh/engine/xiangqi/eval"
)

// deltaMargin is what a capture may bring beyond its victim's value.
const deltaMargin = 120

// quiesce is the score of a node where only captures are looked at, and every
// evasion of a check, so that no exchange is judged halfway.
func (w *worker) quiesce(ply, alpha, beta int) int {
	b, f := w.board, &w.stack[ply]
	w.lines[ply].count = 0
	inCheck := b.InCheck()
	if inCheck {
		if v, ok := w.repeated(ply); ok {
			return v
		}
	}
	key := b.Key()
	known, hit := w.table.probe(key, ply)
	if hit && w.options.HashCut && cuts(known, alpha, beta) {
		return known.score
	}
	if ply >= maxPly {
		return eval.Score(b, f.acc)
	}
	best, static := -infinity, noEval
	if !inCheck {
		static = w.evaluate(f, known, hit)
		best = static
	}
	if best >= beta {
		return best
	}
	w.stack[ply+2].killers = [2]xiangqi.Move{}
	floor := alpha
	alpha = max(alpha, best)
	f.picker.reset(known.move, !inCheck)
	var move xiangqi.Move
	for m := w.pick(ply); m != 0; m = w.pick(ply) {
		if !inCheck && w.hopeless(m, static, alpha) {
			continue
		}
		if !w.enter(ply, m) {
			return 0
		}
		v := -w.quiesce(ply+1, -beta, -alpha)
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
		w.lines[ply].begin(m, &w.lines[ply+1])
		if v >= beta {
			break
		}
	}
	if inCheck && best == -infinity {
		return lost(ply)
	}
	w.table.store(key, ply, entry{move, best, static, 0, boundOf(best, floor, beta)})
	return best
}

// hopeless tells whether a capture cannot bring the score to alpha, or loses
// material.
func (w *worker) hopeless(m xiangqi.Move, static, alpha int) bool {
	o := &w.options
	gain := eval.Value(w.board.At(m.To()).Kind())
	if o.DeltaPruning && static+gain+deltaMargin <= alpha && !isDecided(alpha) && !w.board.GivesCheck(m) {
		return true
	}
	return o.ExchangePruning && gain < eval.Value(w.board.At(m.From()).Kind()) && exchange(w.board, m) < 0
}

// cuts tells whether what the table knows settles a node with this window.
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
