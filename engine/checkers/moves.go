package checkers

// A Move is the start, the end and the captured squares of a move. As an engine.Move it is opaque.
// The zero Move is invalid.
type Move uint64

const (
	toShift      = 6
	captureShift = 12
)

// NewMove returns a move. It is not validated.
func NewMove(from, to Square, captured Set) Move {
	return Move(from) | Move(to)<<toShift | Move(captured)<<captureShift
}

// From returns the start of the move.
func (m Move) From() Square { return Square(m & 63) }

// To returns the end of the move, which can be its start.
func (m Move) To() Square { return Square(m >> toShift & 63) }

// Captured returns the captured squares.
func (m Move) Captured() Set { return Set(m >> captureShift) }

// AppendMoves appends the legal moves of the side to move: only captures if there are any.
func (b *Board) AppendMoves(to []Move) []Move {
	n := len(to)
	if to = b.AppendCaptures(to); len(to) > n {
		return to
	}
	return b.AppendQuiet(to)
}

// AppendQuiet appends the moves of a side that has no captures.
func (b *Board) AppendQuiet(to []Move) []Move {
	empty := b.Empty()
	men := b.Men(b.turn)
	for d := forward[b.turn].from; d < forward[b.turn].to; d++ {
		for left := men.step(d) & empty; left != 0; left &= left - 1 {
			end := left & -left
			to = append(to, NewMove(end.step(d.back()).First(), end.First(), 0))
		}
	}
	flying := variantTable[b.variant].flying
	for kings := b.Kings(b.turn); kings != 0; kings &= kings - 1 {
		king := kings & -kings
		for d := range direction(directions) {
			for end := king.step(d) & empty; end != 0; end = end.step(d) & empty {
				to = append(to, NewMove(king.First(), end.First(), 0))
				if !flying {
					break
				}
			}
		}
	}
	return to
}

// CanMove reports whether the side to move has a legal move.
func (b *Board) CanMove() bool {
	empty := b.Empty()
	men, kings := b.Men(b.turn), b.Kings(b.turn)
	for d := range direction(directions) {
		movers := kings
		if d >= forward[b.turn].from && d < forward[b.turn].to {
			movers |= men
		}
		if movers.step(d)&empty != 0 {
			return true
		}
	}
	return b.CanCapture()
}
