package checkers

// Steps returns the squares that men of a colour on the squares of the set can step to on an empty
// board.
func (b Set) Steps(c Colour) Set {
	if c == Black {
		return (b<<4 | b<<5) & allSquares
	}
	return (b>>4 | b>>5) & allSquares
}

// Neighbours returns the squares that kings on the squares of the set can step to on an empty
// board.
func (b Set) Neighbours() Set { return b.Steps(Black) | b.Steps(White) }

// Threatened reports whether the side that is not to move could capture if it were to move.
func (b *Board) Threatened() bool {
	other := *b
	other.turn = b.turn.Other()
	return other.CanCapture()
}

// RelativeRow returns the distance of a square from a colour's back row.
func (s Square) RelativeRow(c Colour) int {
	if c == Black {
		return s.index() / 4
	}
	return 7 - s.index()/4
}

// RelativeIndex returns the number of a square, from 0 to 31, from a colour's point of view: 0 is
// on the right of its own back row.
func (s Square) RelativeIndex(c Colour) int {
	if c == Black {
		return s.index()
	}
	return 31 - s.index()
}
