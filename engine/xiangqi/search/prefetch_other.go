//go:build purego || !(amd64 || arm64)

package search

// prefetch does nothing: Go has no such instruction.
func prefetch(*cluster) {}
