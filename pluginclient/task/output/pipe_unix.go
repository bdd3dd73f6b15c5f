//go:build unix

package output

import (
	"context"
	"errors"
	"io"
	"os"
	"syscall"
	"time"
)

// isBrokenPipe reports whether a write failed because nobody reads any more.
func isBrokenPipe(err error) bool {
	return errors.Is(err, syscall.EPIPE) || errors.Is(err, io.ErrClosedPipe)
}

// Signals returns the signals of a write that fails: to a pipe that nobody reads any more, and
// beyond the size that a file may have.
func Signals() []os.Signal { return []os.Signal{syscall.SIGPIPE, syscall.SIGXFSZ} }

// readerInterval is the time between two looks for the reader of a pipe.
const readerInterval = 30 * time.Millisecond

// openPipe opens a named pipe to write to it, once somebody reads it. A plain open would wait in
// the system, where nothing but a signal that kills ends it.
func openPipe(ctx context.Context, path string) (*os.File, error) {
	for {
		file, err := os.OpenFile(path, os.O_WRONLY|syscall.O_NONBLOCK, 0)
		if err == nil {
			// Not every system can poll a pipe.
			return file, syscall.SetNonblock(int(file.Fd()), false)
		}
		if !errors.Is(err, syscall.ENXIO) {
			return nil, err
		}
		select {
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		case <-time.After(readerInterval):
		}
	}
}
