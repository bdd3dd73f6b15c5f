package xiangqi

// Mirrored returns the point on the same rank, with files counted from the other hand.
func (sq Square) Mirrored() Square { return sq/9*9 + 8 - sq%9 }

// Turned returns the point on the same file, with ranks counted from the other side.
func (sq Square) Turned() Square { return (9-sq/9)*9 + sq%9 }

// Mirrored returns the move with left and right exchanged.
func (m Move) Mirrored() Move { return NewMove(m.From().Mirrored(), m.To().Mirrored()) }

// Mirrored returns the position, and the game that led to it, with left and right exchanged.
func (p *Position) Mirrored() *Position { return p.image(Square.Mirrored, Red) }

// Swapped returns the position, and the game that led to it, with the sides exchanged: the board is turned
// round, and each man changes its colour.
func (p *Position) Swapped() *Position {
	return p.image(func(sq Square) Square { return 89 - sq }, Black)
}

// image returns the game with each point moved, and, if swap is Black, each colour exchanged.
func (p *Position) image(at func(Square) Square, swap Side) *Position {
	if p.before != nil {
		return p.before.image(at, swap).after(NewMove(at(p.move.From()), at(p.move.To())))
	}
	q := &Position{number: p.number}
	q.quiet, q.since, q.side, q.check = p.quiet, p.since, p.side^swap, p.check
	if q.side == Black {
		q.key = zobristSide
	}
	for sq, piece := range p.squares {
		if piece != Empty {
			q.put(NewPiece(piece.Side()^swap, piece.Kind()), at(Square(sq)))
		}
	}
	return q
}
