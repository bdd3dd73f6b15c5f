// Package lazyregexp compiles regular expressions when they are first used. Most runs of a program
// use few of those of its packages, and compiling them all would take longer than all else at its start.
package lazyregexp

import (
	"regexp"
	"sync"
)

// New returns a function that returns the regular expression of a pattern. It panics if the pattern is
// invalid.
func New(pattern string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })
}
