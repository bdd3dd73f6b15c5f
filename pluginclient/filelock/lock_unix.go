//go:build unix && !solaris && !illumos && !aix

package filelock

import (
	"os"
	"syscall"
)

// Lock makes a file this process's own until it is closed.
func Lock(file *os.File) error {
	return syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
}
