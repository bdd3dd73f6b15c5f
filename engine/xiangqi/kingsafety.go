package xiangqi

// A kingSafety has the constraints that the safety of the king puts on the moves of every other
// piece. It is computed once per position, so that no move has to be tried.
//
// Each enemy piece that attacks the king, at once or after one move, is a constraint. With R a rook
// or, on a file, the other king, C a cannon, H a horse, and pieces counted strictly between it and
// the king:
//
//	R, none between     check: move between or capture R
//	R, one between      that piece stays on the line or captures R
//	C, none between     no piece may move between
//	C, one between      check: move between beside the screen or capture C;
//	                    the screen itself may go anywhere but between
//	C, two between      either of them moves between elsewhere or captures C
//	H, leg empty        check: block the leg or capture H
//	H, leg occupied     that piece may only capture H
//	pawn next to king   check: capture it
//
// With more pieces between, no single move matters. What a constraint demands of the
// pieces it names, the screens and pins, differs from what it demands of the rest.
type kingSafety struct {
	rest        Bitboard // targets of pieces that no constraint names
	common      Bitboard // targets allowed by the constraints that name no piece of ours
	named       Bitboard // own pieces that a constraint names
	check       bool
	n           int
	constraints [8]constraint // at most two rooks, two cannons, two horses and a king name pieces
}

// A constraint names some own pieces, and has the targets allowed for them and for the rest.
type constraint struct{ named, to, rest Bitboard }

// mask returns the targets that the king's safety allows a named piece.
func (g *kingSafety) mask(sq Square) Bitboard {
	to := g.common
	for i := range g.n {
		d := &g.constraints[i&7]
		if d.named.Has(sq) {
			to = to.And(d.to)
		} else {
			to = to.And(d.rest)
		}
	}
	return to
}

// addForAll adds a constraint on all pieces.
func (g *kingSafety) addForAll(to Bitboard) { g.common = g.common.And(to) }

// addFor adds a constraint on the named pieces and another on the rest.
func (g *kingSafety) addFor(named, to, rest Bitboard) {
	if named.Empty() {
		g.addForAll(rest)
		return
	}
	g.named = g.named.Or(named)
	g.constraints[g.n&7] = constraint{named, to, rest}
	g.n++
}

// kingSafety computes the constraints of the position into g.
func (s *state) kingSafety(g *kingSafety) {
	us, them := s.side, s.side^1
	king := s.king(us)
	g.common, g.named, g.check, g.n = allSquares(), Bitboard{}, false, 0
	rooks := s.pieces[NewPiece(them, Rook)].Or(s.pieces[NewPiece(them, King)])
	cannons := s.pieces[NewPiece(them, Cannon)]
	for set := rooks.And(crosses[king]); !set.Empty(); {
		var sq Square
		sq, set = set.Next()
		s.constrainRook(g, king, sq)
	}
	for set := cannons.And(crosses[king]); !set.Empty(); {
		var sq Square
		sq, set = set.Next()
		s.constrainCannon(g, king, sq)
	}
	for set := s.pieces[NewPiece(them, Horse)].And(horseSources[king].to[0]); !set.Empty(); {
		var sq Square
		sq, set = set.Next()
		s.constrainHorse(g, king, sq)
	}
	for set := s.pieces[NewPiece(them, Pawn)].And(pawnSources[them][king]); !set.Empty(); {
		var sq Square
		sq, set = set.Next()
		g.check = true
		g.addForAll(points[sq])
	}
	g.rest = g.common
	for i := range g.n {
		g.rest = g.rest.And(g.constraints[i&7].rest)
	}
}

func (s *state) constrainRook(g *kingSafety, king, sq Square) {
	gap := between[king][sq]
	line := gap.Or(points[sq])
	switch blockers := gap.And(s.occupied()); blockers.Count() {
	case 0:
		g.check = true
		g.addForAll(line)
	case 1:
		g.addFor(blockers.And(s.sides[s.side]), line, allSquares())
	}
}

func (s *state) constrainCannon(g *kingSafety, king, sq Square) {
	gap := between[king][sq]
	screens := gap.And(s.occupied())
	line := gap.AndNot(screens).Or(points[sq])
	switch screens.Count() {
	case 0:
		g.addForAll(allSquares().AndNot(gap))
	case 1:
		g.check = true
		g.addFor(screens.And(s.sides[s.side]), allSquares().AndNot(gap), line)
	case 2:
		g.addFor(screens.And(s.sides[s.side]), line, allSquares())
	}
}

func (s *state) constrainHorse(g *kingSafety, king, sq Square) {
	leg := horseLeaps[sq].mask.And(horseSources[king].mask)
	switch {
	case !leg.Intersects(s.occupied()):
		g.check = true
		g.addForAll(leg.Or(points[sq]))
	case leg.Intersects(s.sides[s.side]):
		g.addFor(leg, points[sq], allSquares())
	}
}

// kingAttackers returns the pieces of a side that attack a king on a point with occupancy occ, including
// a king that faces it.
func (s *state) kingAttackers(king Square, by Side, occ Bitboard) Bitboard {
	rooks := s.pieces[NewPiece(by, Rook)].Or(s.pieces[NewPiece(by, King)])
	found := horseAttackers(king, occ).And(s.pieces[NewPiece(by, Horse)])
	found = found.Or(pawnSources[by][king].And(s.pieces[NewPiece(by, Pawn)]))
	return found.Or(lineAttackers(rooks, s.pieces[NewPiece(by, Cannon)], king, occ))
}

// attacked reports whether a king of a side on a point would be in check with occupancy occ.
func (s *state) attacked(king Square, side Side, occ Bitboard) bool {
	return !s.kingAttackers(king, side^1, occ).Empty()
}
