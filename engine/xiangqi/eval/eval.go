// Package eval evaluates Xiangqi positions in centipawns: a pawn that has crossed the river is worth
// about 150, a horse or cannon about 450, a rook about 1000.
//
// An evaluation is a sum of features times weights (features.go). Each weight has a value for a full
// board and one for an empty board, interpolated by the attacking pieces that are left. There are two
// kinds of features. Piece-square values change by at most three terms in a move, so a search updates
// their sum incrementally in an [Accumulator]. The other terms (terms.go) need the attacks of both sides
// (attackmap.go): mobility of rooks, cannons and horses, danger to the palaces, cannons and rooks on a
// line with a king, missing guards that the enemy can exploit, hanging and protected pieces, pawns and
// pieces across the river. At the end the value is scaled down if the leading side's material cannot
// win (winscale.go).
//
// The weights (weights.go) are tuned: engine/lab/tune finds them from games that the engine plays
// against itself, with the features that [Explain] returns.
//
// To add a term, add a feature at the end of the list in features.go, count it in terms.go, which has
// a method for each family of terms, and increment termsVersion. Its weight in weights.go is {0, 0}
// until engine/lab/tune, which has the names of the features in that file, has found one.
//
// Searches use an [Evaluator] (evaluator.go). Here is [Tapered]; package net has a neural network.
//
// The evaluation is symmetric: it does not change if the board is mirrored from left to right, and it
// is negated if the colours are swapped. Repetitions and mates are handled by the search.
package eval

import "qhsh/engine/xiangqi"

// Limit is the maximum absolute value of an evaluation.
const Limit = 20000

// An Accumulator is the part of an evaluation that is updated incrementally, Red's sum minus
// Black's. The zero Accumulator is that of an empty board.
type Accumulator struct {
	full, bare int32 // sums of the full-board and bare-board values
	phase      int32 // game phase, from the attacking pieces of both sides
	pieces     pieceCounts
}

// pieceCounts are the numbers of pieces, four bits for each Piece.
type pieceCounts uint64

func (c pieceCounts) of(s xiangqi.Side, k xiangqi.Kind) int {
	return int(c >> (4 * xiangqi.NewPiece(s, k) & 63) & 15)
}

// New returns the Accumulator of a board.
func New(b *xiangqi.Board) Accumulator {
	var a Accumulator
	for sq := range xiangqi.Square(90) {
		a.put(b.At(sq), sq)
	}
	return a
}

// After returns the Accumulator after a move. The move must not have been made on b yet.
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

// blend interpolates between the full-board and bare-board sums by the game phase.
func (a Accumulator) blend(full, bare int32) int32 {
	phase := min(a.phase, fullPhase)
	return (full*phase + bare*(fullPhase-phase)) / fullPhase
}

// decisive is the material and placement advantage, in centipawns, above which the terms are
// skipped.
const decisive = 900

// Score returns the value of the position for the side to move, in centipawns. a must be the
// Accumulator of the board.
func Score(b *xiangqi.Board, a Accumulator) int {
	v := a.blend(a.full, a.bare)
	if v < decisive && v > -decisive {
		var s attackMap
		s.init(b, a.pieces)
		full, bare := unpack(s.terms(nil))
		v = a.blend(a.full+full, a.bare+bare)
	}
	v = v * int32(WinScale(b, leaderOf(v))) / MaxWinScale
	if b.Side() == xiangqi.Black {
		v = -v
	}
	return max(-Limit, min(Limit, int(v)))
}

// Value returns the exchange value of a kind of piece in centipawns. A king is worth more than all
// other pieces together.
func Value(k xiangqi.Kind) int { return exchangeValue[k&7] }
