package search

import (
	"qhsh/engine/xiangqi"
	"qhsh/engine/xiangqi/eval"
)

// A picker hands out a node's moves, the most promising first: the table's move
// before any other is even generated, captures that win or keep material, the
// killers and the counter move, the other quiet moves by their history, and last
// the captures that lose material.
type picker struct {
	hash    xiangqi.Move // the table's move, or 0; checked before it is played
	started bool         // the moves are generated
	noisy   bool         // captures only
	next    int
	count   int
	moves   [xiangqi.MaxMoves]xiangqi.Move
	ranked  [xiangqi.MaxMoves]ranked
	tried   [maxTried]xiangqi.Move // quiet moves handed out before
	quiets  int
}

// A ranked move is a move and its place in the order, in one number: the key, then
// 128 less its index so that of equal keys the first generated wins, then the move.
type ranked int64

func newRanked(key int32, index int, m xiangqi.Move) ranked {
	return ranked(key)<<32 | ranked(xiangqi.MaxMoves-index)<<16 | ranked(m)
}

// maxTried is how many failed quiet moves a node can blame.
const maxTried = 64

// The bands of the keys, from best to worst; quiet moves lie around zero.
const (
	goodCapture = 1 << 24
	firstKiller = 1<<20 + 2
	otherKiller = 1<<20 + 1
	counterMove = 1 << 20
	badCapture  = -1 << 24
)

func (p *picker) reset(hash xiangqi.Move, noisy bool) {
	p.hash, p.noisy = hash, noisy
	p.started, p.next, p.count, p.quiets = false, 0, 0, 0
}

// try remembers a quiet move that is about to be searched.
func (p *picker) try(m xiangqi.Move) {
	if p.quiets < maxTried {
		p.tried[p.quiets] = m
		p.quiets++
	}
}

// failed are the quiet moves tried before the last one.
func (p *picker) failed() []xiangqi.Move { return p.tried[:max(0, p.quiets-1)] }

// pick is the next move of a ply; 0 when there is none left.
func (w *worker) pick(ply int) xiangqi.Move {
	p := &w.stack[ply].picker
	if !p.started {
		p.started = true
		if p.hash != 0 && w.usable(p) {
			p.next = -1
			return p.hash
		}
		p.hash = 0
		w.generate(ply)
	} else if p.next < 0 {
		w.generate(ply)
	}
	return p.best()
}

// usable tells whether the table's move can be played here, and is wanted.
func (w *worker) usable(p *picker) bool {
	if p.noisy && w.quiet(p.hash) {
		return false
	}
	return w.board.Legal(p.hash)
}

// quiet tells whether a move takes nothing.
func (w *worker) quiet(m xiangqi.Move) bool {
	return m.To() < 90 && w.board.At(m.To()) == xiangqi.Empty
}

// generate lists a ply's moves, without the table's, and ranks them.
func (w *worker) generate(ply int) {
	p := &w.stack[ply].picker
	var moves []xiangqi.Move
	if p.noisy {
		moves = w.board.AppendCaptures(p.moves[:0])
	} else {
		moves = w.board.AppendMoves(p.moves[:0])
	}
	p.next, p.count = 0, 0
	for _, m := range moves {
		if m != p.hash {
			p.ranked[p.count] = newRanked(w.rank(ply, m), p.count, m)
			p.count++
		}
	}
}

// best takes the highest of the moves that remain.
func (p *picker) best() xiangqi.Move {
	if p.next >= p.count {
		return 0
	}
	rest := p.ranked[p.next:p.count]
	top := 0
	for i, r := range rest {
		if r > rest[top] {
			top = i
		}
	}
	rest[0], rest[top] = rest[top], rest[0]
	p.next++
	return xiangqi.Move(rest[0])
}

// rank is the key by which a move is ordered.
func (w *worker) rank(ply int, m xiangqi.Move) int32 {
	piece, victim := w.board.At(m.From()), w.board.At(m.To())
	if victim != xiangqi.Empty {
		return w.rankCapture(m, piece, victim)
	}
	f := &w.stack[ply]
	switch m {
	case f.killers[0]:
		return firstKiller
	case f.killers[1]:
		return otherKiller
	}
	if before := w.before(ply); before.move != 0 && w.history.counter[before.piece][before.move.To()] == m {
		return counterMove
	}
	return int32(w.history.quiet[piece][m.To()])
}

// rankCapture puts the biggest victim first, taken by the smallest piece, and
// captures that lose material last.
func (w *worker) rankCapture(m xiangqi.Move, piece, victim xiangqi.Piece) int32 {
	gain, risk := eval.Value(victim.Kind()), eval.Value(piece.Kind())
	key := int32(gain*16 - risk/16)
	if risk > gain && exchange(w.board, m) < 0 {
		return badCapture + key
	}
	return goodCapture + key
}
