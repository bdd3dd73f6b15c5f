// Package filelock locks files for exclusive use, so that two runs do not write the same output.
// The operating system releases a lock when its process ends.
package filelock

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"
)

// ErrInUse is wrapped by errors of files that another process has locked.
var ErrInUse = errors.New("another process is using it")

// patience is how long to wait for a locked file, and pause is the time between two tries. Waiting
// is needed because a process killed between fork and exec leaves a child that briefly holds its
// locks.
const (
	patience = time.Second
	pause    = 10 * time.Millisecond
)

// lock locks a file until it is closed. It is a no-op if the file system does not support locks. If
// another process keeps the file locked, the error wraps ErrInUse.
func lock(file *os.File) error {
	for start := time.Now(); ; time.Sleep(pause) {
		err := tryLock(file)
		if !errors.Is(err, ErrInUse) || time.Since(start) >= patience {
			return err
		}
	}
}

// Open opens a file for reading and writing, creates it if necessary, and locks it until it is
// closed. If the previous owner of the lock removes the file, Open opens a new one.
func Open(path string) (*os.File, error) {
	for {
		file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666)
		if err != nil {
			return nil, err
		}
		still, err := LockExisting(file, path)
		if still && err == nil {
			return file, nil
		}
		file.Close()
		if err != nil {
			return nil, err
		}
	}
}

// LockExisting locks an open file and reports whether path still names it: the previous owner of the
// lock may have removed or replaced it.
func LockExisting(file *os.File, path string) (still bool, err error) {
	if err := lock(file); err != nil {
		return false, fmt.Errorf("%s: %w", path, err)
	}
	return named(file, path)
}

// named reports whether path names the open file.
func named(file *os.File, path string) (bool, error) {
	ours, err := file.Stat()
	if err != nil {
		return false, err
	}
	theirs, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil && os.SameFile(ours, theirs), err
}

// Remove removes a locked file and closes it.
func Remove(file *os.File) error {
	// Remove before closing, so that no process locks a file that is about to be removed.
	if err := os.Remove(file.Name()); err == nil {
		return file.Close()
	}
	// Windows cannot remove an open file.
	if err := file.Close(); err != nil {
		return err
	}
	return os.Remove(file.Name())
}

// TempPath returns the name of the temporary file that Replace writes.
func TempPath(path string) string { return path + "-new" }

// Replace atomically replaces the contents of a locked file and closes it. After a crash the file
// has either the old or the new contents.
func Replace(file *os.File, write func(io.Writer) error) error {
	fresh := TempPath(file.Name())
	if err := writeSynced(fresh, file, write); err != nil {
		_ = os.Remove(fresh) // it may not exist
		return errors.Join(err, file.Close())
	}
	if err := os.Rename(fresh, file.Name()); err == nil {
		return file.Close()
	}
	// Windows cannot replace an open file.
	if err := file.Close(); err != nil {
		return err
	}
	return os.Rename(fresh, file.Name())
}

// writeSynced writes a file with the permissions of like and syncs it to disk.
func writeSynced(path string, like *os.File, write func(io.Writer) error) error {
	info, err := like.Stat()
	if err != nil {
		return err
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, info.Mode().Perm())
	if err != nil {
		return err
	}
	out := bufio.NewWriter(file)
	return cmp.Or(write(out), out.Flush(), file.Sync(), file.Close()) // the first one says why
}
