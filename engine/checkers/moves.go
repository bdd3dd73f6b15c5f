package checkers

// A Move is where a piece starts, where it ends and what it captures. As an engine.Move it is
// opaque. The zero Move is none.
type Move uint64

const (
	toShift      = 6
	captureShift = 12
)

// NewMove makes a move. Nothing is checked.
func NewMove(from, to Square, captured Set) Move {
	return Move(from) | Move(to)<<toShift | Move(captured)<<captureShift
}

// From is where the piece starts.
func (m Move) From() Square { return Square(m & 63) }

// To is where it ends, which may be where it started.
func (m Move) To() Square { return Square(m >> toShift & 63) }

// Captured are the squares that it captures.
func (m Move) Captured() Set { return Set(m >> captureShift) }

// AppendMoves appends the legal moves of the side to move: the captures if there are any.
func (b *Board) AppendMoves(to []Move) []Move {
	n := len(to)
	if to = b.AppendCaptures(to); len(to) > n {
		return to
	}
	return b.AppendQuiet(to)
}

// AppendQuiet appends the moves of a side that has no capture.
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
