//go:build !windows

package library

import (
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// separate takes the streams to the host out of the engine's reach: it has stderr for its stdout,
// and nothing to read.
func separate() (in io.Reader, out io.Writer, err error) {
	files := [2]*os.File{}
	for fd := range files {
		own, err := unix.FcntlInt(uintptr(fd), unix.F_DUPFD_CLOEXEC, 10)
		if err != nil {
			return nil, nil, err
		}
		files[fd] = os.NewFile(uintptr(own), "host")
	}
	null, err := os.Open(os.DevNull)
	if err != nil {
		return nil, nil, err
	}
	if err := dup2(int(null.Fd()), 0); err != nil {
		return nil, nil, err
	}
	return files[0], files[1], dup2(2, 1)
}
