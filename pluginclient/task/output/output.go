// Package output is where a command writes: a file that a flag names, or a stream that is open
// already, such as standard output.
//
// [Open] opens a file that keeps its contents until something is written, so that a command that
// fails before then does no harm. [Replace] writes a new file beside the old one, which takes its
// place once it is whole. [Conflict] finds out, before any file is opened, whether a command would
// write a file in two ways, or read and write it, by whatever names.
//
// An [OpenError] is the error of an output that cannot be opened. Any other error comes later.
package output

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"qhsh/pluginclient/filelock"
)

// Options say what an output is.
type Options struct {
	Flag   string    // that has named the file, for a person, such as -o
	Path   string    // of the file; empty: the output is Stream
	Stream io.Writer // nil: what is written is dropped

	Exclusive   bool // nobody else may write the file meanwhile, by whatever name
	Compress    bool // if the extension of Path says so: .gz, .zst or .zstd
	KeepPartial bool // of a replacement that is broken off
}

// name returns the output's name for a person.
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

// Open opens an output. The end of ctx ends the wait for the reader of a pipe.
func Open(ctx context.Context, o Options) (*File, error) {
	if o.Path == "" {
		return openStream(o), nil
	}
	f, err := openFile(ctx, o)
	if err != nil {
		return nil, err
	}
	if o.Compress {
		err = f.compress()
	}
	return f, err
}

func openStream(o Options) *File {
	f := &File{w: o.Stream, name: o.name(), info: Stat(o.Stream)}
	if f.w == nil {
		f.w = io.Discard
	}
	return f
}

// openFile opens the file of an output, and locks it if nobody else is to write it.
func openFile(ctx context.Context, o Options) (*File, error) {
	for {
		_, err := os.Lstat(o.Path)
		isNew := errors.Is(err, fs.ErrNotExist)
		file, err := openForWriting(ctx, o.Path)
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

// openForWriting opens a file, and makes it if it is not there.
func openForWriting(ctx context.Context, path string) (*os.File, error) {
	if info, err := os.Stat(path); err == nil && info.Mode()&fs.ModeNamedPipe != 0 {
		return openPipe(ctx, path)
	}
	return os.OpenFile(path, os.O_WRONLY|os.O_CREATE, 0o666)
}

// newFile returns the output to a file that is open.
func newFile(file *os.File, o Options) *File {
	f := &File{file: file, name: o.name(), path: o.Path}
	f.info, _ = file.Stat() // a nil info is that of a file of which nothing is known
	f.w = f.rawWriter()
	return f
}

// IsRegular reports whether info is that of an ordinary file; nil is not.
func IsRegular(info fs.FileInfo) bool { return info != nil && info.Mode().IsRegular() }

// withName returns err with the name of the output.
func (f *File) withName(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", f.name, err)
}
