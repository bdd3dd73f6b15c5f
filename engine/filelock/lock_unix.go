//go:build unix && !solaris && !illumos && !aix

package filelock

import (
	"errors"
	"fmt"
	"os"
	"syscall"
)

// tryLock locks a file unless another process has it locked.
func tryLock(file *os.File) error {
	err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	switch {
	case errors.Is(err, syscall.EWOULDBLOCK):
		return fmt.Errorf("%w: %w", ErrInUse, err)
	case errors.Is(err, syscall.ENOTSUP), errors.Is(err, syscall.ENOSYS), errors.Is(err, syscall.ENOLCK):
		return nil // the file system has no locks
	}
	return err
}
