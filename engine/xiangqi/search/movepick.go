package search

import (
	"qhsh/engine/xiangqi"
	"qhsh/engine/xiangqi/eval"
)

// A picker hands out a node's moves in stages, the most promising first, and does
// the work of a stage only when it is reached: the table's move; captures that win or
// keep material, the most valuable victim first; the killers and the counter move;
// the other quiet moves by their history; captures that lose material.
type movePicker struct {
	ttMove       xiangqi.Move // the table's move, or 0; checked before it is played
	stage        stage
	capturesOnly bool // captures only
	withChecks   bool // and quiet moves that give check
	unordered    bool // the order of the quiet moves that are left does not matter
	next         int
	count        int
	badCount     int // captures that lose material, kept at the front of ranked
	scored       [xiangqi.MaxMoves]scoredMove
	refuters     [3]xiangqi.Move // killers and counter move, where they can be played

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

// A ranked move is a move and its place in the order, in one number: the key, then
// 128 less its index so that of equal keys the first generated wins, then the move.
type scoredMove int64

func newScoredMove(key int32, index int, m xiangqi.Move) scoredMove {
	return scoredMove(key)<<32 | scoredMove(xiangqi.MaxMoves-index)<<16 | scoredMove(m)
}

// maxTried is how many failed quiet moves a node can blame.
const maxTried = 64

// reset begins a list. If noisy, it has captures only, and with checks also the
// quiet moves that give check.
func (p *movePicker) reset(ttMove xiangqi.Move, capturesOnly, withChecks bool) {
	p.ttMove, p.capturesOnly, p.withChecks, p.unordered = ttMove, capturesOnly, withChecks, false
	p.stage, p.next, p.count, p.badCount, p.quietCount, p.captureCount = stageTTMove, 0, 0, 0, 0, 0
	p.refuters = [3]xiangqi.Move{}
}

// recordTried remembers a move that is about to be searched.
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

// nextMove is the next move of a ply; 0 when there is none left.
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

// canPlayTTMove reports whether the table's move can be played here, and is wanted.
func (w *worker) canPlayTTMove(p *movePicker) bool {
	if p.capturesOnly && w.quiet(p.ttMove) && !(p.withChecks && w.board.Legal(p.ttMove) && w.board.GivesCheck(p.ttMove)) {
		return false
	}
	return w.board.Legal(p.ttMove)
}

// quiet reports whether a move takes nothing.
func (w *worker) quiet(m xiangqi.Move) bool {
	return m.To() < 90 && w.board.At(m.To()) == xiangqi.Empty
}

// scoreCaptures lists and ranks the captures, without the table's move.
func (w *worker) scoreCaptures(p *movePicker) {
	for _, m := range w.board.AppendCaptures(w.scratch[:0]) {
		if m != p.ttMove {
			p.scored[p.count] = newScoredMove(w.captureKey(m), p.count, m)
			p.count++
		}
	}
}

// nextGoodCapture is the next capture that loses nothing; those that do are put aside.
// In quiescence the search itself decides what a capture must not lose.
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

// refuterAt is a killer or, as the third, the counter move, if it can be played and
// has not been handed out.
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

// scoreQuiets lists and ranks the quiet moves that have not been handed out.
func (w *worker) scoreQuiets(ply int) {
	p := &w.stack[ply].picker
	p.next, p.count = p.badCount, p.badCount
	if p.capturesOnly && !p.withChecks {
		return
	}
	list := w.board.AppendQuiets(w.scratch[:0])
	h := w.quietScorerAt(ply)
	for _, m := range list {
		if m == p.ttMove || m == p.refuters[0] || m == p.refuters[1] || m == p.refuters[2] {
			continue
		}
		if p.capturesOnly && !w.board.GivesCheck(m) {
			continue
		}
		p.scored[p.count] = newScoredMove(int32(h.score(w.board.At(m.From()), m)), p.count, m)
		p.count++
	}
}

// takeBest takes the highest of the moves that remain.
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

// nextQuiet is the next quiet move.
func (p *movePicker) nextQuiet() xiangqi.Move {
	if !p.unordered || p.next >= p.count {
		return p.takeBest()
	}
	p.next++
	return xiangqi.Move(p.scored[p.next-1])
}

// rootOrderKey is the key by which a root move is ordered at first.
func (w *worker) rootOrderKey(m xiangqi.Move) int32 {
	switch {
	case w.quiet(m):
		return int32(w.quietHistory(0, w.board.At(m.From()), m))
	case w.seeGE(m, 0):
		return 1<<24 + w.captureKey(m)
	}
	return -1<<24 + w.captureKey(m)
}

// captureKey puts the biggest victim first, taken by the smallest piece, as far as
// experience does not object.
func (w *worker) captureKey(m xiangqi.Move) int32 {
	piece, victim := w.board.At(m.From()), w.board.At(m.To())
	gain, risk := eval.Value(victim.Kind()), eval.Value(piece.Kind())
	return int32(gain*16 - risk/16 + w.captureHistory(piece, victim, m.To())/2)
}
