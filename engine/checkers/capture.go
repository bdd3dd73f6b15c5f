package checkers

import "slices"

// CanCapture reports whether the side to move has a capture. It must then capture.
func (b *Board) CanCapture() bool {
	t := &variantTable[b.variant]
	enemy, empty := b.side[b.turn.Other()], b.Empty()
	men, kings := b.Men(b.turn), b.Kings(b.turn)
	prey := enemy
	if t.kingImmune {
		prey &^= b.kings
	}
	for d := range direction(directions) {
		if t.backward || d >= forward[b.turn].from && d < forward[b.turn].to {
			if (men.step(d)&prey).step(d)&empty != 0 {
				return true
			}
		}
		reach := kings
		if t.flying {
			for more := kings.step(d) & empty; more != 0; more = more.step(d) & empty {
				reach |= more
			}
		}
		if (reach.step(d)&enemy).step(d)&empty != 0 {
			return true
		}
	}
	return false
}

// AppendCaptures appends the legal captures of the side to move.
func (b *Board) AppendCaptures(to []Move) []Move {
	if !b.CanCapture() {
		return to
	}
	h := captureGenerator{board: b, variantRules: &variantTable[b.variant], moves: to, first: len(to)}
	for pieces := b.side[b.turn]; pieces != 0; pieces &= pieces - 1 {
		h.piece(pieces.First())
	}
	return h.moves
}

// A captureGenerator generates the captures on a board.
type captureGenerator struct {
	board *Board
	*variantRules
	enemy, empty  Set // at the start of the sequence; empty includes the moving piece's square
	start         Square
	startedAsKing bool // the moving piece was a king at the start
	moves         []Move
	first         int      // index of the first generated move
	best          priority // of the moves generated so far
	onSequence    func()   // called at the end of each sequence, if not nil
	path          []Square // landings so far, if onSequence is set
	captured      []Square // captured squares so far, if onSequence is set
}

// A priority orders captures if the rules restrict the choice: only those with the highest are
// legal.
type priority uint32

// piece generates the captures of the piece on a square.
func (h *captureGenerator) piece(s Square) {
	b := h.board
	h.enemy = b.side[b.turn.Other()]
	h.empty = b.Empty() | One(s)
	h.start, h.startedAsKing = s, b.kings.Has(s)
	h.extend(One(s), 0, h.startedAsKing, 0)
}

// extend continues a sequence, and reports whether it could. order has one bit per captured piece,
// the last one lowest; the bit is 1 for a king.
func (h *captureGenerator) extend(at, captured Set, king bool, order priority) bool {
	if king && h.flying {
		return h.extendFlying(at, captured, order)
	}
	found := false
	colour := h.board.turn
	prey := h.enemy &^ captured
	if !king && h.kingImmune {
		prey &^= h.board.kings
	}
	for d := range direction(directions) {
		if !king && !h.backward && (d < forward[colour].from || d >= forward[colour].to) {
			continue
		}
		victim := at.step(d) & prey
		land := victim.step(d) & h.empty
		if land == 0 {
			continue
		}
		found = true
		h.land(land, captured, victim, king, order)
	}
	return found
}

// extendFlying is extend for a flying king. If it can continue capturing from some of the landing
// squares after a piece, it must choose one of these.
func (h *captureGenerator) extendFlying(at, captured Set, order priority) bool {
	found := false
	for d := range direction(directions) {
		next := at.step(d)
		for next&h.empty != 0 {
			next = next.step(d)
		}
		victim := next & h.enemy &^ captured
		if victim.step(d)&h.empty == 0 {
			continue
		}
		found = true
		h.landFlying(victim, d, captured, order)
	}
	return found
}

func (h *captureGenerator) landFlying(victim Set, d direction, captured Set, order priority) {
	order = order<<1 | h.kingBit(victim)
	further := false
	for land := victim.step(d) & h.empty; land != 0; land = land.step(d) & h.empty {
		h.push(land, victim)
		further = h.extend(land, captured|victim, true, order) || further
		h.pop()
	}
	if further {
		return
	}
	for land := victim.step(d) & h.empty; land != 0; land = land.step(d) & h.empty {
		h.push(land, victim)
		h.add(land, captured|victim, order)
		h.pop()
	}
}

// land continues the sequence after a short capture, or ends it.
func (h *captureGenerator) land(land, captured, victim Set, king bool, order priority) {
	h.push(land, victim)
	defer h.pop()
	captured |= victim
	order = order<<1 | h.kingBit(victim)
	if !king && land&lastRow[h.board.turn] != 0 {
		switch h.promotion {
		case promoteAndStop:
			h.add(land, captured, order)
			return
		case promoteAndContinue:
			king = true
		}
	}
	if !h.extend(land, captured, king, order) {
		h.add(land, captured, order)
	}
}

// kingBit returns the bit of a captured piece in order.
func (h *captureGenerator) kingBit(victim Set) priority {
	if victim&h.board.kings != 0 {
		return 1
	}
	return 0
}

// add adds a complete sequence, unless a better one or the same move has been generated.
func (h *captureGenerator) add(end, captured Set, order priority) {
	if h.onSequence != nil {
		h.onSequence()
		return
	}
	if h.captureRule != anyCapture {
		switch p := h.priority(captured, order); {
		case p < h.best:
			return
		case p > h.best:
			h.best = p
			h.moves = h.moves[:h.first]
		}
	}
	m := NewMove(h.start, end.First(), captured)
	for i := len(h.moves) - 1; i >= h.first && h.moves[i].From() == h.start; i-- {
		if h.moves[i] == m {
			return
		}
	}
	h.moves = append(h.moves, m)
}

// priority returns the priority of a complete sequence.
func (h *captureGenerator) priority(captured Set, order priority) priority {
	p := priority(captured.Len()) << 24
	if h.captureRule == mostPieces {
		return p
	}
	kings := priority((captured & h.board.kings).Len())
	if h.captureRule == mostThenKings {
		return p | kings
	}
	if h.startedAsKing {
		p |= 1 << 23
	}
	return p | kings<<16 | order
}

// push and pop maintain the path, if onSequence is set.
func (h *captureGenerator) push(land, victim Set) {
	if h.onSequence != nil {
		h.path, h.captured = append(h.path, land.First()), append(h.captured, victim.First())
	}
}

func (h *captureGenerator) pop() {
	if h.onSequence != nil {
		h.path, h.captured = h.path[:len(h.path)-1], h.captured[:len(h.captured)-1]
	}
}

// A CapturePath is the squares that a piece lands on in a capture, and the captured squares in
// order.
type CapturePath struct{ Landings, Captured []Square }

// CapturePaths returns all ways to play a legal move. Without a capture it is the target square.
func (b *Board) CapturePaths(m Move) (ways []CapturePath) {
	if m.Captured() == 0 {
		return []CapturePath{{Landings: []Square{m.To()}}}
	}
	h := captureGenerator{board: b, variantRules: &variantTable[b.variant]}
	h.onSequence = func() {
		if h.path[len(h.path)-1] != m.To() || len(h.captured) != m.Captured().Len() {
			return
		}
		var captured Set
		for _, s := range h.captured {
			captured |= One(s)
		}
		if captured == m.Captured() {
			ways = append(ways, CapturePath{slices.Clone(h.path), slices.Clone(h.captured)})
		}
	}
	h.piece(m.From())
	return ways
}

// CapturePath returns the first of the CapturePaths.
func (b *Board) CapturePath(m Move) CapturePath {
	if ways := b.CapturePaths(m); len(ways) > 0 {
		return ways[0]
	}
	return CapturePath{}
}
