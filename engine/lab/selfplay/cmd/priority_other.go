//go:build !linux

package main

// lowerPriority is a no-op.
func lowerPriority() {}
