package search

import (
	"qhsh/engine/xiangqi"
	"qhsh/engine/xiangqi/eval"
)

// A picker hands out a node's moves in stages, the most promising first, and does
// the work of a stage only when it is reached: the table's move; captures that win or
// keep material, the most valuable victim first; the killers and the counter move;
// the other quiet moves by their history; captures that lose material.
type picker struct {
	hash    xiangqi.Move // the table's move, or 0; checked before it is played
	stage   stage
	noisy   bool // captures only
	checks  bool // and quiet moves that give check
	late    bool // the order of the quiet moves that are left does not matter
	next    int
	count   int
	bad     int // captures that lose material, kept at the front of ranked
	ranked  [xiangqi.MaxMoves]ranked
	refuter [3]xiangqi.Move // killers and counter move, where they can be played

	quiets       [maxTried]xiangqi.Move // quiet moves searched so far
	quietCount   int
	captures     [maxTried / 2]xiangqi.Move // captures searched so far
	captureCount int
}

type stage uint8

const (
	hashMove stage = iota
	listCaptures
	goodCaptures
	firstRefuter
	lastRefuter = firstRefuter + 2
	listQuiets  = lastRefuter + 1
	quietMoves  = listQuiets + 1
	badCaptures = quietMoves + 1
)

// A ranked move is a move and its place in the order, in one number: the key, then
// 128 less its index so that of equal keys the first generated wins, then the move.
type ranked int64

func newRanked(key int32, index int, m xiangqi.Move) ranked {
	return ranked(key)<<32 | ranked(xiangqi.MaxMoves-index)<<16 | ranked(m)
}

// maxTried is how many failed quiet moves a node can blame.
const maxTried = 64

// reset begins a list. If noisy, it has captures only, and with checks also the
// quiet moves that give check.
func (p *picker) reset(hash xiangqi.Move, noisy, checks bool) {
	p.hash, p.noisy, p.checks, p.late = hash, noisy, checks, false
	p.stage, p.next, p.count, p.bad, p.quietCount, p.captureCount = hashMove, 0, 0, 0, 0, 0
	p.refuter = [3]xiangqi.Move{}
}

// try remembers a move that is about to be searched.
func (p *picker) try(m xiangqi.Move, quiet bool) {
	if quiet && p.quietCount < len(p.quiets) {
		p.quiets[p.quietCount] = m
		p.quietCount++
	}
	if !quiet && p.captureCount < len(p.captures) {
		p.captures[p.captureCount] = m
		p.captureCount++
	}
}

// pick is the next move of a ply; 0 when there is none left.
func (w *worker) pick(ply int) xiangqi.Move {
	p := &w.stack[ply].picker
	for {
		switch p.stage {
		case hashMove:
			p.stage++
			if p.hash != 0 && w.usable(p) {
				return p.hash
			}
			p.hash = 0
		case listCaptures:
			w.listCaptures(p)
			p.stage++
		case goodCaptures:
			if m := w.goodCapture(p); m != 0 {
				return m
			}
			p.stage++
			if p.noisy {
				p.stage = listQuiets
			}
		case firstRefuter, firstRefuter + 1, lastRefuter:
			i := p.stage - firstRefuter
			p.stage++
			if m := w.refuterAt(ply, int(i)); m != 0 {
				return m
			}
		case listQuiets:
			p.stage++
			w.listQuiets(ply)
		case quietMoves:
			if m := p.quietMove(); m != 0 {
				return m
			}
			p.stage++
			p.next, p.count = 0, p.bad
		case badCaptures:
			if p.next >= p.count {
				return 0
			}
			p.next++
			return xiangqi.Move(p.ranked[p.next-1])
		}
	}
}

// usable reports whether the table's move can be played here, and is wanted.
func (w *worker) usable(p *picker) bool {
	if p.noisy && w.quiet(p.hash) && !(p.checks && w.board.Legal(p.hash) && w.board.GivesCheck(p.hash)) {
		return false
	}
	return w.board.Legal(p.hash)
}

// quiet reports whether a move takes nothing.
func (w *worker) quiet(m xiangqi.Move) bool {
	return m.To() < 90 && w.board.At(m.To()) == xiangqi.Empty
}

// listCaptures lists and ranks the captures, without the table's move.
func (w *worker) listCaptures(p *picker) {
	for _, m := range w.board.AppendCaptures(w.scratch[:0]) {
		if m != p.hash {
			p.ranked[p.count] = newRanked(w.rankCapture(m), p.count, m)
			p.count++
		}
	}
}

// goodCapture is the next capture that loses nothing; those that do are put aside.
// In quiescence the search itself decides what a capture must not lose.
func (w *worker) goodCapture(p *picker) xiangqi.Move {
	for {
		m := p.best()
		if m == 0 || p.noisy || w.keeps(m, 0) {
			return m
		}
		p.ranked[p.bad] = p.ranked[p.next-1]
		p.bad++
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
	} else if before := w.before(ply, 1); before.move != 0 {
		m = w.history.counter[before.piece][before.move.To()]
	}
	if m == 0 || m == p.hash || m == p.refuter[0] || m == p.refuter[1] || !w.quiet(m) || !w.board.Legal(m) {
		return 0
	}
	p.refuter[i] = m
	return m
}

// listQuiets lists and ranks the quiet moves that have not been handed out.
func (w *worker) listQuiets(ply int) {
	p := &w.stack[ply].picker
	p.next, p.count = p.bad, p.bad
	if p.noisy && !p.checks {
		return
	}
	list := w.board.AppendQuiets(w.scratch[:0])
	h := w.quietHistoryAt(ply)
	for _, m := range list {
		if m == p.hash || m == p.refuter[0] || m == p.refuter[1] || m == p.refuter[2] {
			continue
		}
		if p.noisy && !w.board.GivesCheck(m) {
			continue
		}
		p.ranked[p.count] = newRanked(int32(h.of(w.board.At(m.From()), m)), p.count, m)
		p.count++
	}
}

// best takes the highest of the moves that remain.
func (p *picker) best() xiangqi.Move {
	if p.next >= p.count {
		return 0
	}
	rest := p.ranked[p.next:p.count]
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

// quietMove is the next quiet move.
func (p *picker) quietMove() xiangqi.Move {
	if !p.late || p.next >= p.count {
		return p.best()
	}
	p.next++
	return xiangqi.Move(p.ranked[p.next-1])
}

// rankRoot is the key by which a root move is ordered at first.
func (w *worker) rankRoot(m xiangqi.Move) int32 {
	switch {
	case w.quiet(m):
		return int32(w.quietHistory(0, w.board.At(m.From()), m))
	case w.keeps(m, 0):
		return 1<<24 + w.rankCapture(m)
	}
	return -1<<24 + w.rankCapture(m)
}

// rankCapture puts the biggest victim first, taken by the smallest piece, as far as
// experience does not object.
func (w *worker) rankCapture(m xiangqi.Move) int32 {
	piece, victim := w.board.At(m.From()), w.board.At(m.To())
	gain, risk := eval.Value(victim.Kind()), eval.Value(piece.Kind())
	return int32(gain*16 - risk/16 + w.captureHistory(piece, victim, m.To())/2)
}
