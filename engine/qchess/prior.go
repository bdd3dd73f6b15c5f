package qchess

import (
	"slices"

	"qhsh/engine"
)

// The second kinds of a side's 15 pieces are drawn in order. Each draw chooses among the kinds that
// are left, with equal probability, whatever their remaining numbers. So revealed kinds change the
// probabilities of the others. A count is a number that encodes how many of each kind have been drawn,
// in a mixed radix.

var (
	// kindCount is the number of second kinds of each sort that a side has; strides are the place
	// values of the counts.
	kindCount = [King]int{Pawn: 8, Rook: 2, Knight: 2, Bishop: 2, Queen: 1}
	strides   = [King]int{Pawn: 54, Rook: 18, Knight: 6, Bishop: 2, Queen: 1}
)

const counts = 9 * 3 * 3 * 3 * 2

// drawable are the kinds that can still be drawn after each count. countsBySum are the counts by the
// number of pieces drawn.
var drawable, countsBySum = func() (left [counts][]Kind, byTotal [sidePieces][]int) {
	for c := range left {
		rest, total := c, 0
		for k := Pawn; k < King; k++ {
			n := rest / strides[k]
			if n < kindCount[k] {
				left[c] = append(left[c], k)
			}
			rest -= n * strides[k]
			total += n
		}
		byTotal[total] = append(byTotal[total], c)
	}
	return left, byTotal
}()

// Shown are the original second kinds of a side's pieces, Unknown if not revealed. The king's is
// meaningless.
type Shown [sidePieces]Kind

// Shown returns the revealed second kinds of a side.
func (b *Board) Shown(side engine.Turn) (shown Shown) {
	for slot := range shown {
		shown[slot] = b.pieces[number(side, slot)].shown
	}
	return shown
}

// A Prior is the probability of each second kind of each piece of a side.
type Prior [sidePieces][King]float64

// Prior returns the probabilities given the revealed kinds, which must not be more than the side
// has.
func (shown Shown) Prior() *Prior {
	ahead := shown.ahead()
	before := [counts]float64{1}
	var prior Prior
	for i, slot := range drawOrder {
		total := 0.0
		for _, c := range countsBySum[i] {
			share := before[c] / float64(len(drawable[c]))
			for _, k := range drawable[c] {
				if shown[slot] == Unknown || shown[slot] == k {
					next := c + strides[k]
					before[next] += share
					prior[slot][k] += share * ahead[next]
					total += share * ahead[next]
				}
			}
		}
		for k := range prior[slot] {
			prior[slot][k] /= total
		}
	}
	return &prior
}

// drawOrder are the pieces whose second kind is drawn, in order.
var drawOrder = [sidePieces - 1]int{0, 1, 2, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}

// ahead returns, for each count, the probability of the revealed kinds of the pieces still to be
// drawn.
func (shown Shown) ahead() *[counts]float64 {
	ahead := [counts]float64{counts - 1: 1}
	for i, slot := range slices.Backward(drawOrder[:]) {
		for _, c := range countsBySum[i] {
			for _, k := range drawable[c] {
				if shown[slot] == Unknown || shown[slot] == k {
					ahead[c] += ahead[c+strides[k]] / float64(len(drawable[c]))
				}
			}
		}
	}
	return &ahead
}

// allShown reports whether all second kinds k have been revealed.
func (shown Shown) allShown(k Kind) bool {
	count := 0
	for _, s := range shown {
		if s == k {
			count++
		}
	}
	return count >= kindCount[k]
}

// An Outcome is a possible outcome of a selection.
type Outcome struct {
	Index int
	Kind  Kind
	Odds  float64
}

// Outcomes returns the possible outcomes of the pending selection: the first kind and the second
// one, or if that is unknown all that are possible. Their odds add up to 1.
func (b *Board) Outcomes() []Outcome {
	if !b.OutcomePending() {
		return nil
	}
	return b.outcomes(b.selected)
}

// OutcomesAt returns what the piece on a square may become when it is selected, like
// [Board.Outcomes]; its current kind alone if it is not in superposition. The square must be taken.
func (b *Board) OutcomesAt(at Square) []Outcome {
	i := b.at[at]
	if p := &b.pieces[i]; p.State != superposed {
		return []Outcome{{int(p.State), p.Kind(), 1}}
	}
	return b.outcomes(i)
}

// outcomes returns the outcomes of selecting a piece in superposition.
func (b *Board) outcomes(i int8) []Outcome {
	p := &b.pieces[i]
	all := []Outcome{{0, p.Kinds[0], 0.5}}
	switch {
	case p.Kinds[1] != Unknown:
		return append(all, Outcome{1, p.Kinds[1], 0.5})
	case p.Hidden != Unknown:
		return append(all, Outcome{1, p.Hidden, 0.5})
	}
	for k, odds := range b.Shown(sideOf(i)).Prior()[i%sidePieces] {
		if odds > 0 {
			all = append(all, Outcome{1, Kind(k), odds / 2})
		}
	}
	return all
}
