//go:build race

package enginetest

// Race reports whether the race detector is built in, which makes tests some ten times slower.
const Race = true
