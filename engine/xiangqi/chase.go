package xiangqi

// A chase is a threat to capture a piece with profit. Under every rule set
//
//   - kings and pawns never chase; a king is never chased, and a pawn only once it has
//     crossed the river;
//   - the capture must be legal;
//   - a horse or a cannon chases a rook, and an advisor or an elephant chases a rook, a
//     cannon or a horse, whether it is protected or not;
//   - two pieces of one kind that could capture each other do not chase each other;
//   - otherwise the piece must be unprotected: no legal recapture.
//
// The rule sets differ in which chases count as new (novelty).
//
// A side in check must answer it first, so legality is judged without the checking pieces.

// A chaseBoard is a board to find chases on.
type chaseBoard struct {
	*state
	kingAttackers Bitboard // of the side to move
}

func (s *state) chaseBoard() chaseBoard {
	sc := chaseBoard{state: s}
	if s.inCheck() {
		sc.kingAttackers = s.kingAttackers(s.king(s.side), s.side^1, s.occupied())
	}
	return sc
}

// A chaseSet has the chases of one side: the chasing pieces and their victims.
type chaseSet struct {
	n         int
	attackers [16]Square
	victims   [16]Bitboard
}

// all returns all chased pieces.
func (h *chaseSet) all() (set Bitboard) {
	for i := range h.n {
		set = set.Or(h.victims[i&15])
	}
	return set
}

// findChases lists the chases of a side in h.
func (s *chaseBoard) findChases(by Side, h *chaseSet) {
	h.n = 0
	them := by ^ 1
	targets := s.sides[them].AndNot(s.pieces[NewPiece(them, King)])
	targets = targets.AndNot(s.pieces[NewPiece(them, Pawn)].AndNot(beyond[them])) // pawns only beyond the river
	hunters := s.sides[by].AndNot(s.pieces[NewPiece(by, King)]).AndNot(s.pieces[NewPiece(by, Pawn)])
	for !hunters.Empty() {
		var from Square
		from, hunters = hunters.Next()
		var prey Bitboard
		for reach := s.targets(from).And(targets); !reach.Empty(); {
			var to Square
			to, reach = reach.Next()
			if s.chases(NewMove(from, to)) {
				prey = prey.Or(points[to])
			}
		}
		if !prey.Empty() {
			h.attackers[h.n&15], h.victims[h.n&15] = from, prey
			h.n++
		}
	}
}

// chases reports whether a threatened capture, between pieces that may chase and be chased, is a
// chase.
func (s *chaseBoard) chases(m Move) bool {
	if s.exposesKing(m) {
		return false
	}
	hunter, prey := s.squares[m.From()].Kind(), s.squares[m.To()].Kind()
	switch {
	case prey == Rook && (hunter == Horse || hunter == Cannon),
		(prey == Rook || prey == Cannon || prey == Horse) && (hunter == Advisor || hunter == Elephant):
		return true
	case hunter == prey && s.targets(m.To()).Has(m.From()) && !s.exposesKing(NewMove(m.To(), m.From())):
		return false
	}
	_, able := s.protectors(m)
	return !able
}

// exposesKing reports whether a capture, by either side, would leave the own king in check.
func (s *chaseBoard) exposesKing(m Move) bool {
	from, to := points[m.From()], points[m.To()]
	side := s.squares[m.From()].Side()
	king := s.king(side)
	if king == m.From() {
		king = m.To()
	}
	threats := s.state.kingAttackers(king, side^1, s.occupied().AndNot(from))
	return !threats.AndNot(to).AndNot(s.kingAttackers).Empty()
}

// protectors reports whether any piece could recapture, and whether one could do so legally. m may
// also go to an empty point.
func (s *chaseBoard) protectors(m Move) (any, able bool) {
	from, to := points[m.From()], m.To()
	side := s.squares[m.From()].Side() ^ 1
	occ := s.occupied().AndNot(from).Or(points[to])
	set := s.Attackers(side, to, occ)
	for !set.Empty() {
		any = true
		var sq Square
		sq, set = set.Next()
		king := s.king(side)
		if king == sq {
			king = to
		}
		threats := s.state.kingAttackers(king, side^1, occ.AndNot(points[sq]))
		if threats.AndNot(from).AndNot(s.kingAttackers).Empty() {
			return true, true
		}
	}
	return any, false
}

// keepNew removes the chases that are not new from h. firm are those that are new in any case; the
// others only cut their victim off from its protectors, which is allowed as an answer to a chase.
func (f novelty) keepNew(h *chaseSet, m Move, before, after *chaseBoard) (firm Bitboard) {
	if f == newVictim {
		var was chaseSet
		before.findChases(before.side, &was)
		old := was.all()
		for i := range h.n {
			h.victims[i&15] = h.victims[i&15].AndNot(old)
		}
		return h.all()
	}
	for i := range h.n {
		from := h.attackers[i&15]
		if from == m.To() {
			from = m.From()
		}
		for set := h.victims[i&15]; !set.Empty(); {
			var to Square
			to, set = set.Next()
			switch f.judge(NewMove(from, to), NewMove(h.attackers[i&15], to), before, after) {
			case notNew:
				h.victims[i&15] = h.victims[i&15].AndNot(points[to])
			case isNew:
				firm = firm.Or(points[to])
			}
		}
	}
	return firm
}

// The results of judge.
const (
	notNew        = iota // not new
	protectionCut        // new only because protection was cut off
	isNew
)

// judge classifies a chase. oldMove is the capture in the position before the move, newMove after
// it.
func (f novelty) judge(oldMove, newMove Move, before, after *chaseBoard) int {
	if !before.targets(oldMove.From()).Has(oldMove.To()) {
		return isNew
	}
	if f == newThreat && before.exposesKing(oldMove) {
		return isNew
	}
	if before.chases(oldMove) {
		return notNew
	}
	if any, able := after.protectors(newMove); any && !able {
		return isNew // the protectors are pinned now
	}
	if f == newThreat {
		return protectionCut
	}
	return notNew
}
