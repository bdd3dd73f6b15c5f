package qchess

import (
	"slices"

	"qhsh/engine"
)

// The second kinds of a side's 15 pieces are drawn in their order: each time one of the kinds that
// are still left, each with the same probability, whatever their numbers are. So what is known of
// some pieces tells something about the others. A count of what is drawn is a number in which each
// kind has its place.

// mostDrawn is how many of each second kind a side has; strides are the places of the counts.
var (
	kindCount = [King]int{Pawn: 8, Rook: 2, Knight: 2, Bishop: 2, Queen: 1}
	strides   = [King]int{Pawn: 54, Rook: 18, Knight: 6, Bishop: 2, Queen: 1}
)

const counts = 9 * 3 * 3 * 3 * 2

// drawable are the kinds that may still be drawn after each count, and countsBySum the counts of so many
// pieces.
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

// Shown are the second kinds of a side's pieces as they were drawn, Unknown where they have not
// shown. That of the king has no meaning.
type Shown [sidePieces]Kind

// Shown returns what has shown of a side.
func (b *Board) Shown(side engine.Turn) (shown Shown) {
	for slot := range shown {
		shown[slot] = b.pieces[number(side, slot)].shown
	}
	return shown
}

// A Prior is the probability of each second kind of each piece of a side.
type Prior [sidePieces][King]float64

// Prior returns what follows from what has shown, which must be no more than there is of each kind.
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

// drawOrder are the pieces that have a second kind drawn.
var drawOrder = [sidePieces - 1]int{0, 1, 2, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}

// ahead returns the probabilities, after each count, of what is known of the pieces that are still to
// be drawn.
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

// allShown reports whether every second kind of a sort has shown.
func (shown Shown) allShown(k Kind) bool {
	count := 0
	for _, s := range shown {
		if s == k {
			count++
		}
	}
	return count >= kindCount[k]
}

// secondOdds returns the probability of each secondOdds kind of a piece, by what both sides know.
func (b *Board) secondOdds(i int8) [King]float64 { return b.Shown(sideOf(i)).Prior()[i%sidePieces] }

// An Outcome is what may come of a selection.
type Outcome struct {
	Index int
	Kind  Kind
	Odds  float64
}

// Outcomes returns what may come of the selection that is to be drawn: the first kind, and the second,
// or if it is not known each that it may be. Their odds add up to 1.
func (b *Board) Outcomes() []Outcome {
	if !b.OutcomePending() {
		return nil
	}
	p := &b.pieces[b.selected]
	all := []Outcome{{0, p.Kinds[0], 0.5}}
	switch {
	case p.Kinds[1] != Unknown:
		return append(all, Outcome{1, p.Kinds[1], 0.5})
	case p.Hidden != Unknown:
		return append(all, Outcome{1, p.Hidden, 0.5})
	}
	for k, odds := range b.secondOdds(b.selected) {
		if odds > 0 {
			all = append(all, Outcome{1, Kind(k), odds / 2})
		}
	}
	return all
}
