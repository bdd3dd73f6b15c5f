// Package output opens what a command writes to: a file named by a flag, or an open stream such as
// standard output.
//
// [Open] opens a file and keeps its contents until the first write, so a command that fails before
// does no harm. [Replace] writes a new file next to the old one and renames it when it is complete.
// [Conflict] detects, before any file is opened, that a command would write a file twice, or read
// and write it, under whatever names.
//
// An [OpenError] means that an output cannot be opened. All other errors occur later.
package output

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"

	"qhsh/engine/filelock"
)

// Options describe an output.
type Options struct {
	Flag   string    // that has named the file, for a person, such as -o
	Path   string    // of the file; empty: the output is Stream
	Stream io.Writer // nil: what is written is dropped

	Exclusive   bool // nobody else may write the file meanwhile, by whatever name
	Compress    bool // if the extension of Path says so: .gz, .zst or .zstd
	KeepPartial bool // of a replacement that is broken off
}

// name returns the output's name for messages.
func (o Options) name() string {
	if o.Path == "" {
		return "standard output"
	}
	return o.Flag + " " + o.Path
}

// An OpenError is the error of an output that cannot be opened. Nothing has been written then.
type OpenError struct {
	Name string // of the output or its flag, for a person
	Err  error
}

func (e *OpenError) Error() string { return e.Name + ": " + e.Err.Error() }

// Unwrap returns Err.
func (e *OpenError) Unwrap() error { return e.Err }

var errInUse = errors.New("another run is writing it")

// Open opens an output. Cancelling ctx ends the wait for a pipe's reader.
func Open(ctx context.Context, o Options) (*File, error) {
	if o.Path == "" {
		f := &File{w: o.Stream, name: o.name(), info: Stat(o.Stream)}
		if f.w == nil {
			f.w = io.Discard
		}
		return f, nil
	}
	for { // until nobody removes the file before it is locked
		_, err := os.Lstat(o.Path)
		isNew := errors.Is(err, fs.ErrNotExist)
		var file *os.File
		if info, statErr := os.Stat(o.Path); statErr == nil && info.Mode()&fs.ModeNamedPipe != 0 {
			file, err = openPipe(ctx, o.Path)
		} else {
			file, err = os.OpenFile(o.Path, os.O_WRONLY|os.O_CREATE, 0o666)
		}
		if err != nil {
			return nil, &OpenError{o.Flag, err}
		}
		f := newFile(file, o)
		f.isNew = isNew
		if !o.Exclusive || !IsRegular(f.info) {
			return f, nil
		}
		still, err := filelock.LockExisting(file, o.Path)
		if still && err == nil {
			return f, nil
		}
		file.Close()
		if errors.Is(err, filelock.ErrInUse) {
			err = errInUse
		}
		if err != nil {
			return nil, &OpenError{o.name(), err}
		}
	}
}

// newFile returns the output for an open file.
func newFile(file *os.File, o Options) *File {
	f := &File{file: file, name: o.name(), path: o.Path}
	f.info, _ = file.Stat() // a nil info is that of a file of which nothing is known
	if IsRegular(f.info) {
		f.w = wholeWrites{file}
	} else {
		f.w = EscapeIfTerminal(file)
	}
	if o.Compress {
		f.compress()
	}
	return f
}

// IsRegular reports whether info is that of an ordinary file; nil is not.
func IsRegular(info fs.FileInfo) bool { return info != nil && info.Mode().IsRegular() }
