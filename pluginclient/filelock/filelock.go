// Package filelock makes a file one process's own, so that two runs do not write the same
// output. A lock ends with its process, however that ends.
package filelock

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// ErrUsed is wrapped by the error of a file that another process has locked.
var ErrUsed = errors.New("another process is using it")

// Open opens a file to be read and written, makes it if it is not there, and locks it
// until it is closed. The file may be removed by whoever has it locked: Open never answers
// one that has no name any more.
func Open(path string) (*os.File, error) {
	for {
		file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666)
		if err != nil {
			return nil, err
		}
		if err := Lock(file); err != nil {
			file.Close()
			return nil, fmt.Errorf("%s: %w: %w", path, ErrUsed, err)
		}
		still, err := named(file, path)
		if still && err == nil {
			return file, nil
		}
		file.Close()
		if err != nil {
			return nil, err
		}
	}
}

// named tells whether a file is still the one of its path.
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
