//go:build !purego

package net

// update is updateGo for this processor. Every arm64 processor has NEON.
//
//go:noescape
func update(dst, src, rows []int16, add, sub []uint16)

// activate is activateGo for this processor.
//
//go:noescape
func activate(accumulator, weights []int16) int32
