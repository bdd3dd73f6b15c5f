package search

import (
	"qhsh/engine/xiangqi"
	"qhsh/engine/xiangqi/eval"
)

// A movePicker returns a node's moves in stages, the most promising first, and does the work of a
// stage only when it is reached: the TT move; captures that do not lose material, most valuable
// victim first; the killers and the counter move; the other quiet moves by history; captures that
// lose material.
type movePicker struct {
	ttMove       xiangqi.Move // the TT move, or 0; its legality is checked before it is returned
	stage        stage
	capturesOnly bool // captures only
	withChecks   bool // and quiet moves that give check
	unordered    bool // the order of the remaining quiet moves does not matter
	next         int
	count        int
	badCount     int // captures that lose material, kept at the front of scored
	scored       [xiangqi.MaxMoves]scoredMove
	refuters     [3]xiangqi.Move // killers and counter move, if legal

	quiets       [maxTried]xiangqi.Move // quiet moves searched so far
	quietCount   int
	captures     [maxTried / 2]xiangqi.Move // captures searched so far
	captureCount int
}

type stage uint8

const (
	stageTTMove stage = iota
	stageInitCaptures
	stageGoodCaptures
	stageFirstRefuter
	stageLastRefuter = stageFirstRefuter + 2
	stageInitQuiets  = stageLastRefuter + 1
	stageQuiets      = stageInitQuiets + 1
	stageBadCaptures = stageQuiets + 1
)

// A scoredMove is a move and its ordering score in one number: the score, then 128 minus its index
// so that equal scores keep their order, then the move.
type scoredMove int64

func newScoredMove(key int32, index int, m xiangqi.Move) scoredMove {
	return scoredMove(key)<<32 | scoredMove(xiangqi.MaxMoves-index)<<16 | scoredMove(m)
}

// maxTried is the maximum number of failed quiet moves of a node that are penalized.
const maxTried = 64

// reset starts a new list. If capturesOnly is set, it has captures only, and with withChecks also
// quiet moves that give check.
func (p *movePicker) reset(ttMove xiangqi.Move, capturesOnly, withChecks bool) {
	p.ttMove, p.capturesOnly, p.withChecks, p.unordered = ttMove, capturesOnly, withChecks, false
	p.stage, p.next, p.count, p.badCount, p.quietCount, p.captureCount = stageTTMove, 0, 0, 0, 0, 0
	p.refuters = [3]xiangqi.Move{}
}

// recordTried records a move that is about to be searched.
func (p *movePicker) recordTried(m xiangqi.Move, quiet bool) {
	if quiet && p.quietCount < len(p.quiets) {
		p.quiets[p.quietCount] = m
		p.quietCount++
	}
	if !quiet && p.captureCount < len(p.captures) {
		p.captures[p.captureCount] = m
		p.captureCount++
	}
}

// nextMove returns the next move at a ply; 0 if there are no more.
func (w *worker) nextMove(ply int) xiangqi.Move {
	p := &w.stack[ply].picker
	for {
		switch p.stage {
		case stageTTMove:
			p.stage++
			if p.ttMove != 0 && w.canPlayTTMove(p) {
				return p.ttMove
			}
			p.ttMove = 0
		case stageInitCaptures:
			w.scoreCaptures(p)
			p.stage++
		case stageGoodCaptures:
			if m := w.nextGoodCapture(p); m != 0 {
				return m
			}
			p.stage++
			if p.capturesOnly {
				p.stage = stageInitQuiets
			}
		case stageFirstRefuter, stageFirstRefuter + 1, stageLastRefuter:
			i := p.stage - stageFirstRefuter
			p.stage++
			if m := w.refuterAt(ply, int(i)); m != 0 {
				return m
			}
		case stageInitQuiets:
			p.stage++
			w.scoreQuiets(ply)
		case stageQuiets:
			if m := p.nextQuiet(); m != 0 {
				return m
			}
			p.stage++
			p.next, p.count = 0, p.badCount
		case stageBadCaptures:
			if p.next >= p.count {
				return 0
			}
			p.next++
			return xiangqi.Move(p.scored[p.next-1])
		}
	}
}

// canPlayTTMove reports whether the TT move is legal here and belongs to the list.
func (w *worker) canPlayTTMove(p *movePicker) bool {
	if p.capturesOnly && w.quiet(p.ttMove) && !(p.withChecks && w.board.Legal(p.ttMove) && w.board.GivesCheck(p.ttMove)) {
		return false
	}
	return w.board.Legal(p.ttMove)
}

// quiet reports whether a move does not capture.
func (w *worker) quiet(m xiangqi.Move) bool {
	return m.To() < 90 && w.board.At(m.To()) == xiangqi.Empty
}

// scoreCaptures generates and scores the captures, except the TT move.
func (w *worker) scoreCaptures(p *movePicker) {
	for _, m := range w.board.AppendCaptures(w.scratch[:0]) {
		if m != p.ttMove {
			p.scored[p.count] = newScoredMove(w.captureKey(m), p.count, m)
			p.count++
		}
	}
}

// nextGoodCapture returns the next capture that does not lose material and sets losing ones aside.
// In quiescence the caller checks the exchange.
func (w *worker) nextGoodCapture(p *movePicker) xiangqi.Move {
	for {
		m := p.takeBest()
		if m == 0 || p.capturesOnly || w.seeGE(m, 0) {
			return m
		}
		p.scored[p.badCount] = p.scored[p.next-1]
		p.badCount++
	}
}

// refuterAt returns a killer or, as the third, the counter move, if it is legal and has not been
// returned yet.
func (w *worker) refuterAt(ply, i int) xiangqi.Move {
	f := &w.stack[ply]
	p := &f.picker
	var m xiangqi.Move
	if i < len(f.killers) {
		m = f.killers[i]
	} else if before := w.frameBefore(ply, 1); before.move != 0 {
		m = w.history.counter[before.piece][before.move.To()]
	}
	if m == 0 || m == p.ttMove || m == p.refuters[0] || m == p.refuters[1] || !w.quiet(m) || !w.board.Legal(m) {
		return 0
	}
	p.refuters[i] = m
	return m
}

// scoreQuiets generates and scores the quiet moves that have not been returned yet.
func (w *worker) scoreQuiets(ply int) {
	p := &w.stack[ply].picker
	p.next, p.count = p.badCount, p.badCount
	if p.capturesOnly && !p.withChecks {
		return
	}
	appendQuiets := w.board.AppendQuiets
	if p.capturesOnly {
		appendQuiets = w.board.AppendQuietChecks
	}
	h := w.quietScorerAt(ply)
	for _, m := range appendQuiets(w.scratch[:0]) {
		if m == p.ttMove || m == p.refuters[0] || m == p.refuters[1] || m == p.refuters[2] {
			continue
		}
		p.scored[p.count] = newScoredMove(int32(h.score(w.board.At(m.From()), m)), p.count, m)
		p.count++
	}
}

// takeBest removes and returns the move with the highest score.
func (p *movePicker) takeBest() xiangqi.Move {
	if p.next >= p.count {
		return 0
	}
	rest := p.scored[p.next:p.count]
	top, high := 0, rest[0]
	for i, r := range rest {
		if r > high {
			top, high = i, r
		}
	}
	rest[0], rest[top] = high, rest[0]
	p.next++
	return xiangqi.Move(high)
}

// nextQuiet returns the next quiet move.
func (p *movePicker) nextQuiet() xiangqi.Move {
	if !p.unordered || p.next >= p.count {
		return p.takeBest()
	}
	p.next++
	return xiangqi.Move(p.scored[p.next-1])
}

// skipQuiets skips the remaining quiet moves up to the next one that may give check, and returns how many.
func (p *movePicker) skipQuiets(b *xiangqi.Board) (skipped int) {
	if p.stage != stageQuiets {
		return 0
	}
	for ; p.next < p.count && !b.MayCheck(xiangqi.Move(p.scored[p.next])); p.next++ {
		skipped++
	}
	return skipped
}

// rootOrderKey returns the initial ordering score of a root move.
func (w *worker) rootOrderKey(m xiangqi.Move) int32 {
	switch {
	case w.quiet(m):
		return int32(w.quietHistory(0, w.board.At(m.From()), m))
	case w.seeGE(m, 0):
		return 1<<24 + w.captureKey(m)
	}
	return -1<<24 + w.captureKey(m)
}

// captureKey scores a capture: most valuable victim, least valuable attacker, capture history.
func (w *worker) captureKey(m xiangqi.Move) int32 {
	piece, victim := w.board.At(m.From()), w.board.At(m.To())
	gain, risk := eval.Value(victim.Kind()), eval.Value(piece.Kind())
	return int32(gain*16 - risk/16 + w.captureHistory(piece, victim, m.To())/2)
}
