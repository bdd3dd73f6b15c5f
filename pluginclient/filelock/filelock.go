// Package filelock makes a file one process's own, so that two runs do not write the same
// output. A lock ends with its process, however that ends.
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

// ErrInUse is wrapped by the error of a file that another process has locked.
var ErrInUse = errors.New("another process is using it")

// patience is how long a locked file is waited for, and pause is the time between two tries.
// A process that is killed while it starts another leaves a child that holds its locks until
// it runs its own program.
const (
	patience = time.Second
	pause    = 10 * time.Millisecond
)

// lock makes a file this process's own until it is closed, on a file system that knows of
// locks. The error of one that another process keeps locked wraps ErrUsed.
func lock(file *os.File) error {
	for start := time.Now(); ; time.Sleep(pause) {
		err := tryLock(file)
		if !errors.Is(err, ErrInUse) || time.Since(start) >= patience {
			return err
		}
	}
}

// Open opens a file to be read and written, makes it if it is not there, and locks it
// until it is closed. The file may be removed by whoever has it locked: Open never answers
// one that has no name any more.
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

// LockExisting locks an open file as lock does, and reports whether it still is the one of its
// path: whoever had it locked before may have removed or replaced it. The file is the same
// by whatever name it has been opened.
func LockExisting(file *os.File, path string) (still bool, err error) {
	if err := lock(file); err != nil {
		return false, fmt.Errorf("%s: %w", path, err)
	}
	return named(file, path)
}

// named reports whether a file is still the one of its path.
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
	// The name goes first, so that nobody gets the lock of a file that is about to vanish.
	if err := os.Remove(file.Name()); err == nil {
		return file.Close()
	}
	// Windows removes no open file.
	if err := file.Close(); err != nil {
		return err
	}
	return os.Remove(file.Name())
}

// TempPath is the name of the file that is about to replace another.
func TempPath(path string) string { return path + "-new" }

// Replace gives a locked file other contents and closes it. Also after a crash the file has
// either the old contents or the new ones, whole.
func Replace(file *os.File, write func(io.Writer) error) error {
	fresh := TempPath(file.Name())
	if err := writeSynced(fresh, file, write); err != nil {
		_ = os.Remove(fresh) // it may not be there
		return errors.Join(err, file.Close())
	}
	if err := os.Rename(fresh, file.Name()); err == nil {
		return file.Close()
	}
	// Windows replaces no open file.
	if err := file.Close(); err != nil {
		return err
	}
	return os.Rename(fresh, file.Name())
}

// writeSynced writes a file with the permissions of another. The disk has it when it returns.
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
