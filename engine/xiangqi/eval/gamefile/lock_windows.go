package gamefile

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// lock makes a file this process's own until it is closed or the process ends, on a file
// system that knows of locks. The locked byte lies beyond every end, so that the file can be
// read all the same.
func lock(file *os.File) error {
	beyond := windows.Overlapped{OffsetHigh: 1 << 30}
	err := windows.LockFileEx(windows.Handle(file.Fd()),
		windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, &beyond)
	if errors.Is(err, errors.ErrUnsupported) {
		return nil
	}
	return err
}
