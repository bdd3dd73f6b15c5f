package xiangqi

// Mirrored returns the point on the same rank, with files counted from the other hand.
func (sq Square) Mirrored() Square { return sq/9*9 + 8 - sq%9 }

// Turned returns the point on the same file, with ranks counted from the other side.
func (sq Square) Turned() Square { return (9-sq/9)*9 + sq%9 }

// Mirrored returns the move with left and right exchanged.
func (m Move) Mirrored() Move { return NewMove(m.From().Mirrored(), m.To().Mirrored()) }

// Mirrored returns the position, and the game that led to it, with left and right exchanged.
func (p *Position) Mirrored() *Position {
	if p.before != nil {
		return p.before.Mirrored().after(p.move.Mirrored())
	}
	image := &Position{number: p.number, remarks: p.remarks}
	image.quiet, image.since, image.side, image.check = p.quiet, p.since, p.side, p.check
	if p.side == Black {
		image.key = zobristSide
	}
	for sq, piece := range p.squares {
		if piece != Empty {
			image.put(piece, Square(sq).Mirrored())
		}
	}
	return image
}
