// Package interruptible opens and reads files until a context is done. A plain read of a pipe or a
// terminal waits in the operating system, and so does opening a named pipe that has no writer: only a
// signal that kills the process would end that.
package interruptible

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
)

// Open opens a file for reading. When ctx ends, Open and Read return its cause. What waits at that moment
// is left behind where the system cannot end it: a Read on Windows, Open on systems other than Linux.
func Open(ctx context.Context, path string) (fs.File, error) {
	f, err := await(ctx, func() (*os.File, error) { return os.OpenFile(path, os.O_RDONLY|openFlags, 0) }, func(f *os.File) { _ = f.Close() })
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(ctx)
	return openFile{newFile(ctx, f), cancel}, nil
}

// await returns what f returns. When ctx ends before, it returns the cause, and late is called with what
// comes then.
func await[T any](ctx context.Context, f func() (T, error), late func(T)) (value T, err error) {
	if ctx.Err() != nil {
		return value, context.Cause(ctx)
	}
	type result struct {
		value T
		err   error
	}
	done := make(chan result)
	go func() {
		value, err := f()
		select {
		case done <- result{value, err}:
		case <-ctx.Done():
			late(value)
		}
	}()
	select {
	case r := <-done:
		return r.value, r.err
	case <-ctx.Done():
		return value, context.Cause(ctx)
	}
}

// OpenRegular opens a file whose reads do not wait, and which may be opened several times. A named pipe, a
// terminal or a device is an error.
func OpenRegular(path string) (*os.File, error) {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() && !info.IsDir() {
		return nil, &fs.PathError{Op: "open", Path: path, Err: errNotRegular}
	}
	return os.Open(path)
}

var errNotRegular = errors.New("not a regular file")

// ReadFile is [os.ReadFile] until ctx is done.
func ReadFile(ctx context.Context, path string) ([]byte, error) {
	file, err := Open(ctx, path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(file)
}

// Reader returns r with Reads that return the cause of ctx when it is done. Only a Read of a file is
// interrupted while it waits. The Reader of a file has its method Stat.
func Reader(ctx context.Context, r io.Reader) io.Reader {
	if file, ok := r.(*os.File); ok {
		return newFile(ctx, file)
	}
	return reader{ctx, r}
}

func newFile(ctx context.Context, f *os.File) file {
	r := io.Reader(f)
	if info, err := f.Stat(); ctx.Done() != nil && (err != nil || !info.Mode().IsRegular()) {
		r = waitingReader{ctx, f}
	}
	return file{reader{ctx, r}, f}
}

type reader struct {
	ctx context.Context
	r   io.Reader
}

func (r reader) Read(p []byte) (int, error) {
	if r.ctx.Err() != nil {
		return 0, context.Cause(r.ctx)
	}
	return r.r.Read(p)
}

// A file has no other way to read it.
type file struct {
	reader
	f *os.File
}

func (f file) Stat() (fs.FileInfo, error) { return f.f.Stat() }

type openFile struct {
	file
	cancel context.CancelFunc
}

// Close closes the file and ends a Read that waits.
func (f openFile) Close() error {
	f.cancel()
	return f.f.Close()
}

// A waitingReader reads a file whose Reads may wait.
type waitingReader struct {
	ctx  context.Context
	file *os.File
}
