package xiangqi

// MaxMoves is more than the number of moves of any position: two rooks and two cannons have 17 each
// at most, two horses 8, two elephants 4, two advisors 4, a king 4 and five pawns 3, together 119.
const MaxMoves = 128

// A pieceMoves has the legal moves of one piece.
type pieceMoves struct {
	from Square
	to   Bitboard
}

// pieceMoves lists the legal moves of every piece of the side to move with targets in to, and
// returns the number of pieces, of which some may have no move. The order depends only on the
// position.
func (s *state) pieceMoves(dst *[16]pieceMoves, to Bitboard) int {
	var g kingSafety
	s.kingSafety(&g)
	s.check = checkOf(g.check)
	us, occ, n := s.side, s.occupied(), 0
	to = to.AndNot(s.sides[us]).AndNot(s.pieces[NewPiece(us^1, King)]) // see IllegalError
	add := func(from Square, reach Bitboard) {
		safe := g.rest
		if g.named.Has(from) {
			safe = g.mask(from)
		}
		dst[n&15] = pieceMoves{from, reach.And(to).And(safe)}
		n++
	}
	var sq Square
	for set := s.pieces[NewPiece(us, Rook)]; !set.Empty(); {
		sq, set = set.Next()
		add(sq, rookTargets(sq, occ))
	}
	for set := s.pieces[NewPiece(us, Cannon)]; !set.Empty(); {
		sq, set = set.Next()
		add(sq, cannonTargets(sq, occ))
	}
	for set := s.pieces[NewPiece(us, Horse)]; !set.Empty(); {
		sq, set = set.Next()
		add(sq, horseTargets(sq, occ))
	}
	for set := s.pieces[NewPiece(us, Pawn)]; !set.Empty(); {
		sq, set = set.Next()
		add(sq, pawnSteps[us][sq])
	}
	for set := s.pieces[NewPiece(us, Elephant)]; !set.Empty(); {
		sq, set = set.Next()
		add(sq, elephantTargets(sq, occ))
	}
	for set := s.pieces[NewPiece(us, Advisor)]; !set.Empty(); {
		sq, set = set.Next()
		add(sq, advisorSteps[sq])
	}
	dst[n&15] = s.kingMoves(to)
	return n + 1
}

// kingMoves returns the king's legal moves to points in to.
func (s *state) kingMoves(to Bitboard) pieceMoves {
	king := s.king(s.side)
	f := pieceMoves{from: king}
	occ := s.occupied().AndNot(points[king])
	for set := kingSteps[king].And(to); !set.Empty(); {
		var sq Square
		sq, set = set.Next()
		if !s.attacked(sq, s.side, occ) {
			f.to = f.to.Or(points[sq])
		}
	}
	return f
}

// appendMoves appends the legal moves with targets in to.
func (s *state) appendMoves(dst []Move, to Bitboard) []Move {
	var fans [16]pieceMoves
	for _, f := range fans[:s.pieceMoves(&fans, to)] {
		for set := f.to; !set.Empty(); {
			var sq Square
			sq, set = set.Next()
			dst = append(dst, NewMove(f.from, sq))
		}
	}
	return dst
}

// countMoves returns the number of legal moves.
func (s *state) countMoves() (n int) {
	var fans [16]pieceMoves
	for i := range s.pieceMoves(&fans, allSquares()) {
		n += fans[i&15].to.Count()
	}
	return n
}

// AppendMoves appends the legal moves to dst, in an order that depends on the
// position alone. It does not allocate where dst has room for MaxMoves.
func (b *Board) AppendMoves(dst []Move) []Move { return b.appendMoves(dst, allSquares()) }

// AppendCaptures appends the legal captures to dst.
func (b *Board) AppendCaptures(dst []Move) []Move {
	return b.appendMoves(dst, b.sides[b.side^1])
}

// AppendQuiets appends the legal moves that are not captures to dst.
func (b *Board) AppendQuiets(dst []Move) []Move {
	return b.appendMoves(dst, allSquares().AndNot(b.occupied()))
}

// CountMoves returns the number of legal moves.
func (b *Board) CountMoves() int { return b.countMoves() }
