//go:build purego || !amd64

package train

// sumRows is sumRowsGo.
func sumRows(sum, table []float32, rows []uint16) { sumRowsGo(sum, table, rows) }

// addToRows is addToRowsGo.
func addToRows(table, delta []float32, rows []uint16) { addToRowsGo(table, delta, rows) }

// activate is activateGo.
func activate(neurons, weights []float32) float32 { return activateGo(neurons, weights) }

// backpropagate is backpropagateGo.
func backpropagate(neurons, weights, gradient []float32, derivative float32) {
	backpropagateGo(neurons, weights, gradient, derivative)
}
