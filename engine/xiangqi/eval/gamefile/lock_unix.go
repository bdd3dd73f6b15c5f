//go:build unix && !solaris && !illumos && !aix

package gamefile

import (
	"errors"
	"os"
	"syscall"
)

// lock makes a file this process's own until it is closed or the process ends, on a file
// system that knows of locks.
func lock(file *os.File) error {
	err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, errors.ErrUnsupported) || errors.Is(err, syscall.ENOLCK) {
		return nil
	}
	return err
}
