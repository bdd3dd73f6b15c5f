package xiangqi

// A checkMap says which moves may give check in a position, because most of them cannot. It is found once
// for all moves of the position.
type checkMap struct {
	key         uint64      // of the position
	direct      [8]Bitboard // by Kind: the points from which it would attack the king
	screens     Bitboard    // the empty points where any piece would be the screen of a cannon
	discoverers Bitboard    // the points that own pieces may give check by leaving
}

// checkMaps is how many plies of a line have their checkMap kept.
const checkMaps = 32

// MayCheck reports whether a legal move may give check. It is faster than GivesCheck, and true of few moves that
// give none.
func (b *Board) MayCheck(m Move) bool {
	c := b.checkMap()
	return c.direct[b.squares[m.From()].Kind()].Or(c.screens).Has(m.To()) || c.discoverers.Has(m.From())
}

// knownNoCheck reports whether it is known already that a legal move gives no check.
func (b *Board) knownNoCheck(m Move) bool {
	return b.checks != nil && b.checks[len(b.history)%checkMaps].key == b.key && !b.MayCheck(m)
}

// checkMap returns the checkMap of the position.
func (b *Board) checkMap() *checkMap {
	if b.checks == nil {
		b.checks = new([checkMaps]checkMap)
	}
	c := &b.checks[len(b.history)%checkMaps]
	if c.key == b.key {
		return c
	}
	us := b.side
	king, occ := b.king(us^1), b.occupied()
	first := rookTargets(king, occ)
	*c = checkMap{key: b.key}
	c.direct[Rook] = first
	c.direct[Cannon] = rookTargets(king, occ.AndNot(first)).AndNot(first)
	c.direct[Horse] = horseAttackers(king, occ)
	c.direct[Pawn] = pawnSources[us][king]
	if b.pieces[NewPiece(us, Horse)].Intersects(horseSources[king].to[0]) {
		c.discoverers = horseSources[king].mask
	}
	for set := b.pieces[NewPiece(us, Rook)].Or(b.pieces[NewPiece(us, King)]).And(crosses[king]); !set.Empty(); {
		var sq Square
		sq, set = set.Next()
		if between := between[king][sq].And(occ); between.Count() == 1 {
			c.discoverers = c.discoverers.Or(between)
		}
	}
	for set := b.pieces[NewPiece(us, Cannon)].And(crosses[king]); !set.Empty(); {
		var sq Square
		sq, set = set.Next()
		gap := between[king][sq]
		switch screens := gap.And(occ); screens.Count() {
		case 0: // the cannon itself may take over a piece behind it, which becomes its screen
			c.screens, c.discoverers = c.screens.Or(gap), c.discoverers.Or(points[sq])
		case 2:
			c.discoverers = c.discoverers.Or(screens)
		}
	}
	return c
}

// AppendQuietChecks appends the legal moves that give check and are no captures to dst, in the order of
// AppendQuiets.
func (b *Board) AppendQuietChecks(dst []Move) []Move {
	c := b.checkMap()
	anywhere := c.screens.Or(c.direct[Rook]).Or(c.direct[Cannon]).Or(c.direct[Horse]).Or(c.direct[Pawn])
	if c.discoverers.Intersects(b.sides[b.side]) {
		anywhere = allSquares()
	}
	var fans [16]pieceMoves
	for _, f := range fans[:b.pieceMoves(&fans, anywhere.AndNot(b.occupied()))] {
		to := f.to
		if !c.discoverers.Has(f.from) {
			to = to.And(c.direct[b.squares[f.from].Kind()].Or(c.screens))
		}
		for !to.Empty() {
			var sq Square
			sq, to = to.Next()
			if m := NewMove(f.from, sq); b.GivesCheck(m) {
				dst = append(dst, m)
			}
		}
	}
	return dst
}
