package net

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// Weights are a network. They must not be changed while it is in use.
type Weights struct {
	Name   string // such as "g1"
	Note   string // how it was trained: data, seed, command
	Hidden int    // size of an accumulator, one of HiddenSizes
	Scale  int    // centipawns of an output of 1

	Bias       []int16        // [Hidden], of the first layer, in 1/QA
	Feature    []int16        // [Features][Hidden], in 1/QA
	Output     []int16        // [Buckets][2][Hidden], the side to move first, in 1/QB
	OutputBias [Buckets]int32 // in 1/(QA*QB)
}

// HiddenSizes are the allowed sizes of an accumulator.
var HiddenSizes = []int{64, 128, 256}

// NewWeights returns a network whose weights are 0.
func NewWeights(hidden int) *Weights {
	return &Weights{
		Hidden: hidden, Scale: 400,
		Bias:    make([]int16, hidden),
		Feature: make([]int16, Features*hidden),
		Output:  make([]int16, Buckets*2*hidden),
	}
}

const (
	maxName  = 64
	maxNote  = 4096
	maxScale = 4000
	// maxOutputBias is more than any network needs and leaves the rest of an int32 to the sum.
	maxOutputBias = 1 << 20
	// maxOutputSum bounds the sum of an output neuron's positive weights, and that of its negative
	// ones, so that the sum of the squared neurons times their weights fits an int32.
	maxOutputSum = math.MaxInt32 / (QA * QA)
)

// Validate returns an error if a size is wrong or a value is beyond the limits within which
// nothing overflows.
func (w *Weights) Validate() error {
	if err := validateHidden(w.Hidden); err != nil {
		return err
	}
	switch {
	case w.Scale < 1 || w.Scale > maxScale:
		return fmt.Errorf("scale %d: want 1 to %d", w.Scale, maxScale)
	case len(w.Name) > maxName || len(w.Note) > maxNote:
		return fmt.Errorf("name or note too long: at most %d and %d bytes", maxName, maxNote)
	case len(w.Bias) != w.Hidden || len(w.Feature) != Features*w.Hidden || len(w.Output) != Buckets*2*w.Hidden:
		return errors.New("number of weights does not match the hidden size")
	case !within(w.Bias, MaxFeature) || !within(w.Feature, MaxFeature):
		return fmt.Errorf("weight of the first layer beyond %d", MaxFeature)
	case !within(w.Output, MaxOutput):
		return fmt.Errorf("weight of the output beyond %d", MaxOutput)
	}
	for bucket := range Buckets {
		if err := w.validateOutput(bucket); err != nil {
			return fmt.Errorf("output %d: %w", bucket, err)
		}
	}
	return nil
}

func validateHidden(n int) error {
	if !slices.Contains(HiddenSizes, n) {
		return fmt.Errorf("hidden size %d: want one of %d", n, HiddenSizes)
	}
	return nil
}

// validateOutput checks that the sum of an output neuron cannot overflow.
func (w *Weights) validateOutput(bucket int) error {
	if bias := w.OutputBias[bucket]; bias < -maxOutputBias || bias > maxOutputBias {
		return fmt.Errorf("bias %d beyond %d", bias, maxOutputBias)
	}
	positive, negative := 0, 0
	for _, x := range w.output(bucket) {
		positive += max(0, int(x))
		negative += max(0, -int(x))
	}
	if max(positive, negative) > maxOutputSum {
		return fmt.Errorf("weights of one sign add up to more than %d", maxOutputSum)
	}
	return nil
}

// within reports whether no absolute value is above limit.
func within(values []int16, limit int16) bool {
	return slices.Max(values) <= limit && slices.Min(values) >= -limit
}

// output returns the weights of an output neuron, for the side to move and for the other.
func (w *Weights) output(bucket int) []int16 {
	return w.Output[bucket*2*w.Hidden:][:2*w.Hidden]
}
