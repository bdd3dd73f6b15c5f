// Package eval says what a Xiangqi position is worth, in centipawns: a pawn that
// has crossed the river is worth about 150, a horse or a cannon about 450, a rook
// about 1000.
//
// An evaluation is a sum of features times weights (features.go), each weight once
// for a full board and once for an empty one, blended by what is left to attack with.
// There are two kinds of features. The first are pieces on points; a move changes at
// most three of them, so a search carries their sum along as an [Acc] and never sums it
// again. The second are the terms (terms.go) that need to see the board, by way of what
// each side attacks (attackmap.go): the freedom of rooks, cannons and horses, the danger
// to the palaces, cannons and rooks that bear on a king, guards that are missing while
// something is left to exploit it, pieces that hang or are linked, pawns and pieces
// across the river. What the leading side's material cannot win is taken off at the
// end (winscale.go).
//
// The weights (weights.go) are not set by hand: package tune finds them from games
// that the engine plays against itself, and [Explain] tells it the features.
//
// A search asks for all this through an [Evaluator] (evaluator.go), of which [Tapered] is
// the only one here; another, a neural network say, can stand in its place.
//
// The evaluation is symmetric: it does not change when the board is mirrored from
// left to right, and only changes sign when the colours are exchanged. It knows
// nothing of repetitions and mates; that is the search's business.
package eval

import "qhsh/engine/xiangqi"

// Limit bounds every evaluation: none is above Limit or below -Limit.
const Limit = 20000

// An Accumulator is the part of an evaluation that is kept move by move, Red's sum less
// Black's. The zero Accumulator is that of an empty board.
type Accumulator struct {
	full, bare int32 // the sums of both tables
	phase      int32 // what is left to attack with, both sides together
	pieces     pieceCounts
}

// New sums up a board.
func New(b *xiangqi.Board) Accumulator {
	var a Accumulator
	for sq := range xiangqi.Square(90) {
		a.put(b.At(sq), sq)
	}
	return a
}

// After returns the Acc when m has been made on b; it is to be called before it is.
func (a Accumulator) After(b *xiangqi.Board, m xiangqi.Move) Accumulator {
	from, to := m.From(), m.To()
	p := b.At(from)
	old, now := &pieceSquare[p][from], &pieceSquare[p][to]
	a.full += int32(now.full - old.full)
	a.bare += int32(now.bare - old.bare)
	if dead := b.At(to); dead != xiangqi.Empty {
		a.take(dead, to)
	}
	return a
}

func (a *Accumulator) put(p xiangqi.Piece, sq xiangqi.Square) {
	w := &pieceSquare[p][sq]
	a.full += int32(w.full)
	a.bare += int32(w.bare)
	a.phase += phaseWeight[p.Kind()]
	a.pieces += pieceCounts(min(p, 1)) << (4 * p & 63)
}

func (a *Accumulator) take(p xiangqi.Piece, sq xiangqi.Square) {
	w := &pieceSquare[p][sq]
	a.full -= int32(w.full)
	a.bare -= int32(w.bare)
	a.phase -= phaseWeight[p.Kind()]
	a.pieces -= 1 << (4 * p & 63)
}

// blend weighs the sums of the full and the bare board by what is left.
func (a Accumulator) blend(full, bare int32) int32 {
	phase := min(a.phase, fullPhase)
	return (full*phase + bare*(fullPhase-phase)) / fullPhase
}

// decisive is how many centipawns material and placement must be worth for the terms
// not to be looked at: they will not turn the game.
const decisive = 900

// Score returns what the position is worth to the side to move, in centipawns. a must
// be the board's own Acc.
func Score(b *xiangqi.Board, a Accumulator) int {
	v := a.blend(a.full, a.bare)
	if v < decisive && v > -decisive {
		var s attackMap
		s.init(b, a.pieces)
		full, bare := unpack(s.terms(nil))
		v = a.blend(a.full+full, a.bare+bare)
	}
	v = v * winScale(v, a.pieces) / maxWinScale
	if b.Side() == xiangqi.Black {
		v = -v
	}
	return max(-Limit, min(Limit, int(v)))
}

// Value returns what a piece of a kind is worth in an exchange, in centipawns,
// wherever it stands. A king is worth more than everything else together.
func Value(k xiangqi.Kind) int { return exchangeValue[k&7] }
