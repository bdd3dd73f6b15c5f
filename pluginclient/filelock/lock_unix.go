//go:build unix && !solaris && !illumos && !aix

package filelock

import (
	"errors"
	"os"
	"syscall"
)

// Lock makes a file this process's own until it is closed, on a file system that knows of
// locks.
func Lock(file *os.File) error {
	err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	for _, none := range []error{syscall.ENOTSUP, syscall.ENOSYS, syscall.ENOLCK} {
		if errors.Is(err, none) {
			return nil
		}
	}
	return err
}
