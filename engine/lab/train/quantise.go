package train

import (
	"math"

	"qhsh/engine/xiangqi/net"
)

// Weights returns the network as it is now, rounded to integers.
func (t *Training) Weights() *net.Weights { return t.model.quantise() }

// QuantisedLoss returns the loss of the rounded network on the held-out games; NaN if there are none.
func (t *Training) QuantisedLoss() float64 { return t.heldOut(dequantise(t.model.quantise())) }

// outputScale is the number of centipawns that an output of 1 stands for.
const outputScale = 400

// quantise rounds a model to integers.
func (m *model) quantise() *net.Weights {
	w := net.NewWeights(m.hidden)
	w.Scale = outputScale
	round(w.Feature, m.rows(), net.QA)
	round(w.Bias, m.rows()[biasRow*m.hidden:], net.QA)
	for bucket := range net.Buckets {
		round(w.Output[bucket*2*m.hidden:][:2*m.hidden], m.output(bucket), net.QB)
		w.OutputBias[bucket] = int32(math.Round(float64(*m.outputBias(bucket)) * net.QA * net.QB))
	}
	return w
}

// round sets integers to values, of which 1 is unit.
func round(integers []int16, values []float32, unit float64) {
	for i := range integers {
		integers[i] = int16(math.Round(float64(values[i]) * unit))
	}
}

// dequantise undoes quantise, but for the rounding.
func dequantise(w *net.Weights) *model {
	m := newModel(w.Hidden)
	divide(m.rows(), w.Feature, net.QA)
	divide(m.rows()[biasRow*m.hidden:], w.Bias, net.QA)
	for bucket := range net.Buckets {
		divide(m.output(bucket), w.Output[bucket*2*m.hidden:][:2*m.hidden], net.QB)
		*m.outputBias(bucket) = float32(w.OutputBias[bucket]) / (net.QA * net.QB)
	}
	return m
}

// divide sets values to integers divided by unit.
func divide(values []float32, integers []int16, unit float32) {
	for i, n := range integers {
		values[i] = float32(n) / unit
	}
}
