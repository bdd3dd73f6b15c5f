//go:build !purego

package net

import "golang.org/x/sys/cpu"

//go:generate go -C ../../lab run ./asm/net -out ../xiangqi/net/kernel_amd64.s -stubs ../xiangqi/net/kernel_stubs_amd64.go -pkg net

// update is updateGo for this processor.
func update(dst, src, rows []int16, add, sub []uint16) {
	if cpu.X86.HasAVX2 {
		updateAVX2(dst, src, rows, add, sub)
		return
	}
	updateGo(dst, src, rows, add, sub)
}

// activate is activateGo for this processor.
func activate(accumulator, weights []int16) int32 {
	if cpu.X86.HasAVX2 {
		return activateAVX2(accumulator, weights)
	}
	return activateGo(accumulator, weights)
}
