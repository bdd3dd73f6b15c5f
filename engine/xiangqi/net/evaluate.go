package net

import "qhsh/engine/xiangqi"

// Evaluate returns the output for the side to move in centipawns, computed from scratch. The side to
// move must not be in check: the network is not trained for that.
func (w *Weights) Evaluate(b *xiangqi.Board) int {
	var features [maxPieces]uint16
	var accumulators [2][]int16
	for i, side := range [2]xiangqi.Side{b.Side(), b.Side().Other()} {
		accumulators[i] = make([]int16, w.Hidden)
		updateGo(accumulators[i], w.Bias, w.Feature, AppendFeatures(features[:0], b, side), nil)
	}
	bucket := Bucket(b)
	weights := w.output(bucket)
	sum := activateGo(accumulators[0], weights[:w.Hidden]) + activateGo(accumulators[1], weights[w.Hidden:])
	return w.centipawns(bucket, sum)
}

// maxPieces is the number of pieces of a full board.
const maxPieces = 32

// centipawns returns the value of an output neuron with this sum.
func (w *Weights) centipawns(bucket int, sum int32) int {
	v := int64(sum)/QA + int64(w.OutputBias[bucket])
	return int(v * int64(w.Scale) / (QA * QB))
}
