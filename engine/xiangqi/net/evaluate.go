package net

import "qhsh/engine/xiangqi"

// Evaluate returns the output for the side to move in centipawns, computed from scratch. The side to
// move must not be in check: the network is not trained for that.
func (w *Weights) Evaluate(b *xiangqi.Board) int {
	var features [maxPieces]uint16
	var accumulators [2][]int16
	for i, side := range [2]xiangqi.Side{b.Side(), b.Side().Other()} {
		accumulators[i] = make([]int16, w.Hidden)
		copy(accumulators[i], w.Bias)
		for _, f := range AppendFeatures(features[:0], b, side) {
			for j, x := range w.feature(f) {
				accumulators[i][j] += x
			}
		}
	}
	bucket := Bucket(b)
	return w.centipawns(bucket, propagate(accumulators[0], accumulators[1], w.output(bucket)))
}

// maxPieces is the number of pieces of a full board.
const maxPieces = 32

// propagate returns the sum of the squared and clipped neurons times their weights, those of own
// first, in 1/(QA*QA*QB).
func propagate(own, other, weights []int16) int32 {
	sum := int32(0)
	for i, x := range own {
		sum += squared(x) * int32(weights[i])
	}
	for i, x := range other {
		sum += squared(x) * int32(weights[len(own)+i])
	}
	return sum
}

// squared returns the activation of a neuron (SCReLU), in 1/(QA*QA).
func squared(x int16) int32 {
	v := int32(max(0, min(QA, x)))
	return v * v
}

// centipawns returns the value of an output neuron with this sum.
func (w *Weights) centipawns(bucket int, sum int32) int {
	v := int64(sum)/QA + int64(w.OutputBias[bucket])
	return int(v * int64(w.Scale) / (QA * QB))
}
