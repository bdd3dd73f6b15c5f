package search

import (
	"qhsh/engine"
	"qhsh/engine/xiangqi"
)

// The network does not value a position and its mirror image alike, and moves that seem equal are
// searched in the order of their points. So of the two only one is ever searched and evaluated: if a
// position leans, its image is in its place, and what is found is mirrored back.

// mirrorOrder has the kinds of men, first those that move least often, so that a position seldom leans
// where the one before did not, and finds what earlier searches have left in the table.
var mirrorOrder = [...]xiangqi.Kind{
	xiangqi.Pawn, xiangqi.Elephant, xiangqi.Advisor, xiangqi.Horse, xiangqi.Cannon, xiangqi.Rook, xiangqi.King,
}

// leans reports whether fewer men stand on the left than on the right where these first differ: those of
// both sides, or if they do not differ, those of the side to move. One of a position and its image leans,
// unless they are the same. With colours exchanged the answer is the same.
func leans(p *xiangqi.Position) bool {
	for _, both := range [...]bool{true, false} {
		for _, kind := range mirrorOrder {
			own, other := xiangqi.NewPiece(p.Side(), kind), xiangqi.NewPiece(p.Side().Other(), kind)
			count := func(home xiangqi.Square) (n int) {
				if p.Side() == xiangqi.Black {
					home = home.Turned()
				}
				if p.At(home) == own {
					n++
				}
				if both && p.At(home.Turned()) == other {
					n++
				}
				return n
			}
			for at := range xiangqi.Square(90) {
				if left, right := count(at), count(at.Mirrored()); left != right {
					return left < right
				}
			}
		}
	}
	return false
}

// mirror exchanges left and right in the moves.
func mirror(moves []engine.Move) {
	for i, m := range moves {
		moves[i] = engine.Move(xiangqi.Move(m).Mirrored())
	}
}

// mirrored returns a receiver of lists that mirrors them for another one.
func mirrored(yield func([]engine.Line, error) bool) func([]engine.Line, error) bool {
	return func(lines []engine.Line, err error) bool {
		for _, l := range lines {
			mirror(l.Moves)
		}
		return yield(lines, err)
	}
}
