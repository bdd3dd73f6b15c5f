package filelock

import (
	"os"

	"golang.org/x/sys/windows"
)

// Lock makes a file this process's own until it is closed. The locked byte lies beyond
// every end, so that the file can be read all the same.
func Lock(file *os.File) error {
	beyond := windows.Overlapped{OffsetHigh: 1 << 30}
	return windows.LockFileEx(windows.Handle(file.Fd()),
		windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, &beyond)
}
