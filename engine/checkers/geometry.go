package checkers

// Steps are the squares that are a step of any of the pieces of a set away, in the directions in
// which men of a colour go.
func (b Set) Steps(c Colour) Set {
	if c == Black {
		return (b<<4 | b<<5) & allSquares
	}
	return (b>>4 | b>>5) & allSquares
}

// Neighbours are the squares that are a step away.
func (b Set) Neighbours() Set { return b.Steps(Black) | b.Steps(White) }

// Threatened reports whether the side that is not to move could capture if it were.
func (b *Board) Threatened() bool {
	other := *b
	other.turn = b.turn.Other()
	return other.CanCapture()
}

// RelativeRow is how many rows a square is away from a colour's own back row, from 0.
func (s Square) RelativeRow(c Colour) int {
	if c == Black {
		return s.index() / 4
	}
	return 7 - s.index()/4
}

// RelativeIndex is the number of a square, from 0 to 31, as a colour's player sees it: 0 is on the right of
// the own back row for both.
func (s Square) RelativeIndex(c Colour) int {
	if c == Black {
		return s.index()
	}
	return 31 - s.index()
}
