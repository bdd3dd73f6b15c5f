//go:build !linux

package search

// useHugePages does nothing: Linux alone takes such advice.
func useHugePages[T any]([]T) {}
