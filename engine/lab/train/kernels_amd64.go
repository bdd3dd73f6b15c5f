//go:build !purego

package train

import "golang.org/x/sys/cpu"

//go:generate go -C .. run ./asm/train -out train/kernels_amd64.s -stubs train/kernels_stubs_amd64.go -pkg train

func init() {
	if cpu.X86.HasAVX2 {
		sumRows, addToRows, activate, backpropagate = sumRowsAVX2, addToRowsAVX2, activateAVX2, backpropagateAVX2
	}
}
