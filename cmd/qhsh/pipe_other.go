//go:build !windows

package main

import (
	"errors"
	"io"
	"os"
	"syscall"
)

// brokenPipe tells whether a write failed because nobody reads any more.
func brokenPipe(err error) bool {
	return errors.Is(err, syscall.EPIPE) || errors.Is(err, io.ErrClosedPipe)
}

// writeSignals are those of a write that fails: to a pipe that nobody reads any more, and
// beyond the size that a file may have.
func writeSignals() []os.Signal { return []os.Signal{syscall.SIGPIPE, syscall.SIGXFSZ} }
