//go:build purego || !(amd64 || arm64)

package net

// update is updateGo.
func update(dst, src, rows []int16, add, sub []uint16) { updateGo(dst, src, rows, add, sub) }

// activate is activateGo.
func activate(accumulator, weights []int16) int32 { return activateGo(accumulator, weights) }
