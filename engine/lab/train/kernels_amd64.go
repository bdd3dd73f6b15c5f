//go:build !purego

package train

import "golang.org/x/sys/cpu"

//go:generate go -C .. run ./asm/train -out train/kernels_amd64.s -stubs train/kernels_stubs_amd64.go -pkg train

// sumRows is sumRowsGo for this processor.
func sumRows(sum, table []float32, rows []uint16) {
	if cpu.X86.HasAVX2 {
		sumRowsAVX2(sum, table, rows)
		return
	}
	sumRowsGo(sum, table, rows)
}

// addToRows is addToRowsGo for this processor.
func addToRows(table, delta []float32, rows []uint16) {
	if cpu.X86.HasAVX2 {
		addToRowsAVX2(table, delta, rows)
		return
	}
	addToRowsGo(table, delta, rows)
}

// activate is activateGo for this processor.
func activate(neurons, weights []float32) float32 {
	if cpu.X86.HasAVX2 {
		return activateAVX2(neurons, weights)
	}
	return activateGo(neurons, weights)
}

// backpropagate is backpropagateGo for this processor.
func backpropagate(neurons, weights, gradient []float32, derivative float32) {
	if cpu.X86.HasAVX2 {
		backpropagateAVX2(neurons, weights, gradient, derivative)
		return
	}
	backpropagateGo(neurons, weights, gradient, derivative)
}
