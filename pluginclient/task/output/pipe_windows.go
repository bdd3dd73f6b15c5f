package output

import (
	"context"
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

// isBrokenPipe reports whether a write failed because nobody reads any more.
func isBrokenPipe(err error) bool {
	return errors.Is(err, errorBrokenPipe) || errors.Is(err, errorNoData) || errors.Is(err, io.ErrClosedPipe)
}

// Signals returns the signals of a write that fails. Here there are none.
func Signals() []os.Signal { return nil }

// openPipe opens a named pipe, whose reader is there before it has a name.
func openPipe(_ context.Context, path string) (*os.File, error) {
	return os.OpenFile(path, os.O_WRONLY, 0)
}
