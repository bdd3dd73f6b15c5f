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
	"path/filepath"
	"syscall"
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

// Open opens a file for reading and writing, creates it if necessary, and locks it until it is
// closed. If the previous owner of the lock removes the file, Open opens a new one.
func Open(path string) (*os.File, error) {
	return Locked(func() (*os.File, error) { return os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666) })
}

// Locked is Open for a file that open opens, again if its path no longer names it.
func Locked(open func() (*os.File, error)) (*os.File, error) {
	for {
		file, err := open()
		if err != nil {
			return nil, err
		}
		still, err := LockExisting(file, file.Name())
		if still && err == nil {
			return file, nil
		}
		file.Close()
		if err != nil {
			return nil, err
		}
	}
}

// LockExisting locks an open file until it is closed, and reports whether path still names it: the previous
// owner of the lock may have removed or replaced it. It locks nothing if the file system does not support
// locks. If another process keeps the file locked, the error wraps ErrInUse.
func LockExisting(file *os.File, path string) (still bool, err error) {
	for start := time.Now(); ; time.Sleep(pause) {
		err := tryLock(file)
		if err == nil {
			return named(file, path)
		}
		if !errors.Is(err, ErrInUse) || time.Since(start) >= patience {
			return false, fmt.Errorf("%s: %w", path, err)
		}
	}
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

// Rename renames a file whose contents have been synced. After a power cut the file has its new name only
// if everything that was done in the folder before is kept too, and has it if Rename has returned.
func Rename(from, to string) error {
	if err := SyncName(to); err != nil {
		return err
	}
	if err := os.Rename(from, to); err != nil {
		return err
	}
	return SyncName(to)
}

// SyncName syncs the names in a file's folder to disk. It is a no-op where that cannot be done.
func SyncName(path string) error {
	dir, err := os.Open(filepath.Dir(path))
	if err != nil {
		return nil // a folder that cannot be read may be written
	}
	defer dir.Close()
	err = dir.Sync()
	if errors.Is(err, errors.ErrUnsupported) || errors.Is(err, syscall.EINVAL) || errors.Is(err, fs.ErrPermission) { // as on Windows
		return nil
	}
	return err
}

// Replace atomically replaces the contents of a locked file and closes it. After a crash or a power cut
// the file has either the old or the new contents.
func Replace(file *os.File, write func(io.Writer) error) error {
	fresh := TempPath(file.Name())
	if err := writeSynced(fresh, file, write); err != nil {
		_ = os.Remove(fresh) // it may not exist
		return errors.Join(err, file.Close())
	}
	return RenameAndClose(file, fresh, file.Name())
}

// RenameAndClose is Rename where the file, or the one that it replaces, is locked; it closes that one.
func RenameAndClose(locked *os.File, from, to string) error {
	err := Rename(from, to)
	if refused := (*os.LinkError)(nil); !errors.As(err, &refused) {
		return errors.Join(err, locked.Close())
	}
	// Windows cannot rename or replace an open file.
	if err := locked.Close(); err != nil {
		return err
	}
	return Rename(from, to)
}

// RemoveAbandoned removes a file unless a process has it locked. It does not wait.
func RemoveAbandoned(path string) {
	file, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return
	}
	if tryLock(file) != nil {
		file.Close()
		return
	}
	_ = Remove(file) // another process may have removed it
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
