package train

import (
	"math"
	"math/rand/v2"

	"qhsh/engine/xiangqi/net"
)

// A model is a network in float32. Its parameters are one slice, so that the optimizer need not know
// what they are; gradients have the same layout.
type model struct {
	hidden int
	params []float32
}

// biasRow is the row of the first layer that every position adds to its accumulators.
const biasRow = net.Features

// newModel returns a model whose parameters are 0.
func newModel(hidden int) *model {
	m := &model{hidden: hidden}
	m.params = make([]float32, m.biasAt(net.Buckets))
	return m
}

// rows returns the first layer: a row of hidden weights for each feature, and the biases.
func (m *model) rows() []float32 { return m.params[:m.outputAt(0)] }

// output returns the weights of an output neuron, for the side to move and for the other.
func (m *model) output(bucket int) []float32 {
	return m.params[m.outputAt(bucket):m.outputAt(bucket+1)]
}

// outputBias returns the bias of an output neuron.
func (m *model) outputBias(bucket int) *float32 { return &m.params[m.biasAt(bucket)] }

func (m *model) outputAt(bucket int) int { return (net.Features + 1 + 2*bucket) * m.hidden }

func (m *model) biasAt(bucket int) int { return m.outputAt(net.Buckets) + bucket }

// randomize draws the initial weights; biases begin at 0. The spread is that of sums which are
// about 1 if all inputs were set, of which few are.
func (m *model) randomize(seed uint64) {
	r := rand.New(rand.NewPCG(seed, 0))
	draw := func(weights []float32, inputs int) {
		spread := float32(math.Sqrt(3 / float64(inputs)))
		for i := range weights {
			weights[i] = spread * (2*r.Float32() - 1)
		}
	}
	draw(m.rows()[:biasRow*m.hidden], net.Features)
	for bucket := range net.Buckets {
		draw(m.output(bucket), 2*m.hidden)
	}
}

// widen returns a model with more neurons that computes the same as m: the output weights of the new
// ones are 0.
func (m *model) widen(hidden int, seed uint64) *model {
	w := newModel(hidden)
	w.randomize(seed)
	for row := range net.Features + 1 {
		copy(w.rows()[row*hidden:], m.rows()[row*m.hidden:][:m.hidden])
	}
	for bucket := range net.Buckets {
		clear(w.output(bucket))
		copy(w.output(bucket), m.output(bucket)[:m.hidden])
		copy(w.output(bucket)[hidden:], m.output(bucket)[m.hidden:])
		*w.outputBias(bucket) = *m.outputBias(bucket)
	}
	return w
}
