// Package net evaluates Xiangqi positions with a small neural network, quantised to integers.
//
// # The network
//
// The inputs are the pieces on their points, seen by each side in turn (features.go): colours
// swapped and ranks turned for Black, so that the own pieces always stand at the bottom, and files
// mirrored so that the own king is on file D or E. Each side sees 689 different inputs, of which as
// many are set as there are pieces. The first layer adds up a row of Hidden weights for each, which
// is the side's accumulator. Both accumulators, that of the side to move first, are clipped to
// 0..[QA] and squared (SCReLU), and a single output neuron adds up the result. There are [Buckets]
// output neurons, of which the rooks, horses and cannons left select one (bucket.go).
//
//	(689 -> Hidden)x2 -> 1x8
//
// # Integers
//
// Weights and biases of the first layer are in units of 1/[QA], those of the output in units of
// 1/[QB], and output biases in units of 1/(QA*QB). An output of 1 is Scale centipawns. The limits
// [MaxFeature] and [MaxOutput], about 1.98, keep an accumulator and the product of a clipped neuron
// and an output weight within int16; [Weights.Validate] also checks that the sum of the output fits
// an int32. So nothing overflows, whatever the order of additions, and every implementation returns
// the same value.
//
// # In a search
//
// An [Evaluator] keeps both accumulators as moves are made and undone (stack.go); a move adds a row
// of weights to each and subtracts one or two. Only what is evaluated is computed. If a king's step
// mirrors what a side sees, its accumulator comes from a cache (refresh.go). kernel.go has the
// arithmetic, in Go and for processors with vectors.
//
// Repetitions, mates and draws by rule are handled by the search.
package net

const (
	// Features is the number of inputs that a side can see.
	Features = 689
	// Buckets is the number of output neurons.
	Buckets = 8

	// QA is 1 in the accumulators and in the weights and biases of the first layer.
	QA = 255
	// QB is 1 in the weights of the output.
	QB = 64

	// MaxFeature is the maximum absolute value of weights and biases of the first layer.
	MaxFeature = 505
	// MaxOutput is the maximum absolute value of weights of the output.
	MaxOutput = 127
)
