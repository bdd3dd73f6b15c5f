//go:build !linux

package interruptible

const openFlags = 0
