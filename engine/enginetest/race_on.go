//go:build race

package enginetest

// Race reports whether the race detector is enabled, which makes tests about ten times slower.
const Race = true
