package xiangqi

// Mirrored returns the point on the same rank, with files counted from the other hand.
func (sq Square) Mirrored() Square { return sq/9*9 + 8 - sq%9 }

// Turned returns the point on the same file, with ranks counted from the other side.
func (sq Square) Turned() Square { return (9-sq/9)*9 + sq%9 }

// Mirrored returns the move with left and right exchanged.
func (m Move) Mirrored() Move { return NewMove(m.From().Mirrored(), m.To().Mirrored()) }

// Mirrored returns the position, and the game that led to it, with left and right exchanged.
func (p *Position) Mirrored() *Position {
	return p.image(Square.Mirrored, func(s Side) Side { return s })
}

// Swapped returns the position, and the game that led to it, with the sides exchanged: the board is turned
// round, and each man changes its colour.
func (p *Position) Swapped() *Position {
	return p.image(func(sq Square) Square { return 89 - sq }, Side.Other)
}

// image returns the game with other points and sides.
func (p *Position) image(point func(Square) Square, side func(Side) Side) *Position {
	if p.before != nil {
		return p.before.image(point, side).after(NewMove(point(p.move.From()), point(p.move.To())))
	}
	q := &Position{number: p.number}
	q.quiet, q.since, q.side, q.check = p.quiet, p.since, side(p.side), p.check
	if q.side == Black {
		q.key = zobristSide
	}
	for sq, piece := range p.squares {
		if piece != Empty {
			q.put(NewPiece(side(piece.Side()), piece.Kind()), point(Square(sq)))
		}
	}
	return q
}
