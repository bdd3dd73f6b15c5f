package search

import (
	"math/bits"

	"qhsh/engine/xiangqi"
	"qhsh/engine/xiangqi/eval"
)

// skipMove reports whether a move is pruned at the remaining depth: it is too late in the order,
// too far below alpha, or loses too much. Moves that give check are not pruned.
func (w *worker) skipMove(ply, depth, alpha, count int, m xiangqi.Move) bool {
	f := &w.stack[ply]
	if f.eval == noEval || isDecided(alpha) || ply == 0 {
		return false
	}
	var skip bool
	if w.quiet(m) {
		skip = w.skipQuiet(ply, depth, alpha, count, m)
	} else {
		skip = w.skipCapture(ply, depth, alpha, m)
	}
	return skip && !w.board.GivesCheck(m)
}

func (w *worker) skipQuiet(ply, depth, alpha, count int, m xiangqi.Move) bool {
	f, o := &w.stack[ply], &w.options
	enough := 4 + depth*depth
	if !f.improving {
		enough = 3 + depth*depth/2
	}
	enough += enough / 4
	if o.LateMovePruning && depth <= 8 && count > enough {
		f.picker.unordered = true
		return true
	}
	left := max(0, depth-1-baseReduction(depth, count)/1024)
	if o.HistoryPruning && left <= 5 {
		if w.quietHistory(ply, w.board.At(m.From()), m) < -o.Margins.HistoryPly*(left+1) {
			return true
		}
	}
	if o.Futility && left <= 6 && f.eval+o.Margins.FutilityBase+o.Margins.FutilityPly*left <= alpha {
		return true
	}
	return o.QuietExchange && left <= 7 && !w.seeGE(m, -o.Margins.QuietExchange*left*left)
}

func (w *worker) skipCapture(ply, depth, alpha int, m xiangqi.Move) bool {
	f, o := &w.stack[ply], &w.options
	victim := w.board.At(m.To())
	if o.CaptureFutility && depth <= 6 {
		h := w.captureHistory(w.board.At(m.From()), victim, m.To())
		if f.eval+o.Margins.CaptureBase+o.Margins.CapturePly*depth+eval.Value(victim.Kind())+h/128 <= alpha {
			return true
		}
	}
	return o.CaptureExchange && depth <= 7 && !w.seeGE(m, -o.Margins.CaptureExchange*depth)
}

// baseReduction returns the reduction in 1/1024 plies by depth and move count alone.
func baseReduction(depth, count int) int {
	return int(reductions[min(depth, maxDepth)][min(count, maxTried)])
}

var reductions = makeReductions()

func makeReductions() (table [maxDepth + 1][maxTried + 1]uint16) {
	for depth := 1; depth <= maxDepth; depth++ {
		for count := 1; count <= maxTried; count++ {
			table[depth][count] = uint16(500 + log16(depth)*log16(count)*1024/1000)
		}
	}
	return table
}

// log16 returns 16 times the binary logarithm in integers, so that it is the same on every machine;
// between powers of two it is linear.
func log16(n int) int {
	k := bits.Len(uint(n)) - 1
	return 16*k + n<<4>>k - 16
}

// reduction returns by how many plies a later move is reduced at first. The move has been made.
func (w *worker) reduction(ply, depth, count int, pvNode, cutNode bool) int {
	f := &w.stack[ply]
	if f.capture && (!w.options.ReduceCaptures || f.picker.stage != stageBadCaptures) {
		return 0
	}
	r := baseReduction(depth, count)
	if w.board.InCheck() || f.inCheck {
		r -= 1024
	}
	if pvNode {
		r -= 1024
	}
	if f.pv && w.options.PVReduce {
		r -= 1024
	}
	if cutNode && w.options.CutReduce {
		r += 1024
	}
	if f.ttCapture && !f.capture && w.options.HashCapture {
		r += 1024
	}
	if !f.improving {
		r += 512
	}
	if f.picker.stage <= stageLastRefuter+1 {
		r -= 1024
	}
	if w.stack[ply+1].cutoffCount > 3 {
		r += 512
	}
	if !f.capture {
		r -= w.quietHistory(ply, f.piece, f.move) * 1024 / w.options.Margins.ReduceHistory
	}
	return max(0, min(r/1024, depth-2))
}
