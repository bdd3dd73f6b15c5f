package train

import (
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"qhsh/engine/xiangqi/net"
)

// floats returns n values from -2 to 2; one in four is at a limit of the activation or beyond.
func floats(r *rand.Rand, n int) []float32 {
	edges := []float32{0, 1, -1, 1.5, 2}
	values := make([]float32, n)
	for i := range values {
		if values[i] = 4*r.Float32() - 2; r.IntN(4) == 0 {
			values[i] = edges[r.IntN(len(edges))]
		}
	}
	return values
}

// The kernels of the processor return the same bits as those in Go.
func TestKernels(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const count = 20
		hidden := rapid.SampledFrom(net.HiddenSizes).Draw(t, "hidden")
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		rows := rapid.SliceOfN(rapid.Uint16Range(0, count-1), 0, 40).Draw(t, "rows")

		want, got, table := make([]float32, hidden), floats(r, hidden), floats(r, count*hidden)
		sumRowsGo(want, table, rows)
		sumRows(got, table, rows)
		compare(t, "sumRows", got, want)

		other, delta := slices.Clone(table), floats(r, hidden)
		addToRowsGo(other, delta, rows)
		addToRows(table, delta, rows)
		compare(t, "addToRows", table, other)

		neurons, weights, gradient := floats(r, 2*hidden), floats(r, 2*hidden), floats(r, 2*hidden)
		compare(t, "activate", []float32{activate(neurons, weights)}, []float32{activateGo(neurons, weights)})

		neurons2, gradient2, derivative := slices.Clone(neurons), slices.Clone(gradient), floats(r, 1)[0]
		backpropagateGo(neurons2, weights, gradient2, derivative)
		backpropagate(neurons, weights, gradient, derivative)
		compare(t, "derivatives of neurons", neurons, neurons2)
		compare(t, "derivatives of weights", gradient, gradient2)
	})
}

func compare(t *rapid.T, name string, got, want []float32) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s: %g, in Go %g", name, got, want)
	}
}
