//go:build unix && !solaris && !illumos && !aix

package match

import (
	"os"
	"syscall"
)

// lock makes a file this process's own until it is closed.
func lock(file *os.File) error {
	return syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
}
