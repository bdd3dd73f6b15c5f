//go:build unix

package interruptible

import (
	"context"
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

func (r waitingReader) Read(p []byte) (int, error) {
	if err := r.wait(); err != nil {
		return 0, err
	}
	if r.ctx.Err() != nil {
		return 0, context.Cause(r.ctx)
	}
	return r.file.Read(p)
}

// wait waits for input, the end of the file or the end of ctx.
func (r waitingReader) wait() error {
	conn, err := r.file.SyscallConn()
	if err != nil {
		return err
	}
	wake, ended, err := os.Pipe()
	if err != nil {
		return err
	}
	defer wake.Close()
	defer ended.Close()
	defer context.AfterFunc(r.ctx, func() { ended.Close() })()
	var waitErr error
	err = conn.Control(func(fd uintptr) { waitErr = waitForEither(int(fd), int(wake.Fd())) })
	return errors.Join(err, waitErr)
}

// waitForEither waits until one of two files can be read. It does not use poll, which does not support
// the terminals of macOS.
func waitForEither(a, b int) error {
	if max(a, b) >= unix.FD_SETSIZE {
		return nil // with so many open files, a Read just waits
	}
	for {
		var ready unix.FdSet
		ready.Set(a)
		ready.Set(b)
		_, err := unix.Select(max(a, b)+1, &ready, nil, nil, nil)
		if !errors.Is(err, unix.EINTR) {
			return err
		}
	}
}
