package xiangqi

// targets returns the targets of the piece on a point, with pieces of either side; none for an
// empty point.
func (s *state) targets(sq Square) Bitboard { return Reach(s.squares[sq], sq, s.occupied()) }

// Reach returns the points to which a piece on a point can go with occupancy occ, with those of pieces of either
// side; none for Empty.
func Reach(p Piece, sq Square, occ Bitboard) Bitboard {
	switch p.Kind() {
	case Rook:
		return rookTargets(sq, occ)
	case Cannon:
		return cannonTargets(sq, occ)
	case Horse:
		return horseTargets(sq, occ)
	case Elephant:
		return elephantTargets(sq, occ)
	case Advisor:
		return advisorSteps[sq]
	case King:
		return kingSteps[sq]
	case Pawn:
		return pawnSteps[p.Side()][sq]
	}
	return Bitboard{}
}

// Sources returns the empty points from which a piece can have come to a point with occupancy occ, without
// taking anything.
func Sources(p Piece, sq Square, occ Bitboard) (from Bitboard) {
	switch p.Kind() {
	case Horse:
		from = horseAttackers(sq, occ)
	case Pawn:
		from = pawnSources[p.Side()][sq]
	default: // as it goes, so it comes
		from = Reach(p, sq, occ)
	}
	return from.And(Home(p.Side(), p.Kind())).AndNot(occ)
}

// endMove is greater than every move.
const endMove Move = 90 << 7

// Legal reports whether a move is legal. m may be any value, such as one from a hash table.
func (s *state) Legal(m Move) bool {
	from, to := m.From(), m.To()
	if m >= endMove || to >= 90 || !s.sides[s.side].Has(from) || s.sides[s.side].Has(to) || s.squares[to].Kind() == King {
		return false
	}
	return s.targets(from).Has(to) && s.threats(m).Empty()
}

// threats returns the pieces that would attack the mover's king after a move.
func (s *state) threats(m Move) Bitboard {
	from, to := points[m.From()], points[m.To()]
	king := s.king(s.side)
	if king == m.From() {
		king = m.To()
	}
	return s.kingAttackers(king, s.side^1, s.occupied().AndNot(from).Or(to)).AndNot(to)
}

// GivesCheck reports whether a legal move puts the other side in check.
func (b *Board) GivesCheck(m Move) bool {
	if !b.MayCheck(m) {
		return false
	}
	from, us := m.From(), b.side
	// The mover is on its new point in pieces only; the other sets are unchanged.
	piece := b.squares[from]
	both := points[from].Xor(points[m.To()])
	b.pieces[piece] = b.pieces[piece].Xor(both)
	check := !b.kingAttackers(b.king(us^1), us, b.occupied().Or(both).AndNot(points[from])).Empty()
	b.pieces[piece] = b.pieces[piece].Xor(both)
	return check
}

// Attackers returns the pieces of a side that attack or protect a point with occupancy occ. Kings face only
// kings.
func (s *state) Attackers(by Side, sq Square, occ Bitboard) Bitboard {
	found := horseAttackers(sq, occ).And(s.pieces[NewPiece(by, Horse)])
	found = found.Or(pawnSources[by][sq].And(s.pieces[NewPiece(by, Pawn)]))
	found = found.Or(elephantTargets(sq, occ).And(s.pieces[NewPiece(by, Elephant)]))
	found = found.Or(advisorSteps[sq].And(s.pieces[NewPiece(by, Advisor)]))
	found = found.Or(kingSteps[sq].And(s.pieces[NewPiece(by, King)]))
	return found.Or(lineAttackers(s.pieces[NewPiece(by, Rook)], s.pieces[NewPiece(by, Cannon)], sq, occ)).And(occ)
}

// lineAttackers returns the rooks and cannons among some that attack a point.
func lineAttackers(rooks, cannons Bitboard, sq Square, occ Bitboard) Bitboard {
	if !rooks.Or(cannons).Intersects(crosses[sq]) {
		return Bitboard{}
	}
	rook, cannon := lineTargets(sq, occ)
	return rook.And(rooks).Or(cannon.And(cannons))
}

// both returns both sides' pieces of a kind.
func (s *state) both(k Kind) Bitboard {
	return s.pieces[NewPiece(Red, k)].Or(s.pieces[NewPiece(Black, k)])
}
