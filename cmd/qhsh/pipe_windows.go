package main

import (
	"errors"
	"io"
	"os"
	"syscall"
)

// Windows' own numbers for a pipe without a reader.
const (
	errorBrokenPipe = syscall.Errno(109)
	errorNoData     = syscall.Errno(232)
)

// brokenPipe tells whether a write failed because nobody reads any more.
func brokenPipe(err error) bool {
	return errors.Is(err, errorBrokenPipe) || errors.Is(err, errorNoData) || errors.Is(err, io.ErrClosedPipe)
}

// writeSignals are those of a write that fails. Here there are none.
func writeSignals() []os.Signal { return nil }
