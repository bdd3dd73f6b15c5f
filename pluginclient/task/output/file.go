package output

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"qhsh/engine/filelock"
	"qhsh/engine/printable"
)

// A File is an open output.
type File struct {
	w         io.Writer // the compressor, the file, or a stream
	name      string    // for a person
	path      string    // empty: it is a stream
	info      fs.FileInfo
	file      *os.File // nil: it is a stream
	isNew     bool
	truncated bool // the contents that the file had are gone

	compressor io.WriteCloser // nil: what is written is not compressed, or its end has been written
	replacement
}

// Name returns the output's name for messages, such as "-o x.jsonl".
func (f *File) Name() string { return f.name }

// Path returns the path of the output; empty if it is a stream.
func (f *File) Path() string { return f.path }

// Info returns the file's info from before it was opened; nil if unknown.
func (f *File) Info() fs.FileInfo { return f.info }

// IsNew reports whether opening created the file.
func (f *File) IsNew() bool { return f.isNew }

// Truncated reports whether the file's old contents are gone.
func (f *File) Truncated() bool { return f.truncated }

// Write writes to the output; the first call truncates the file. If it fails, a regular file keeps
// nothing of p, so it consists of whole writes.
func (f *File) Write(p []byte) (int, error) {
	if err := f.truncate(); err != nil {
		return 0, err
	}
	return f.w.Write(p)
}

// Raw returns a writer for terminal output with escape sequences.
func (f *File) Raw() io.Writer {
	if f.file == nil {
		return printable.Raw(f.w)
	}
	return f
}

// truncate empties the file unless that has been done.
func (f *File) truncate() error {
	if f.truncated || f.file == nil {
		return nil
	}
	f.truncated = true
	if !IsRegular(f.info) {
		return nil
	}
	return f.file.Truncate(0)
}

// Finish completes the output, which may be empty. Write must not be called afterwards.
func (f *File) Finish() error {
	err := f.truncate()
	if err == nil {
		err = f.closeCompressor()
	}
	f.complete = err == nil
	return err
}

// Sync flushes a regular file to disk.
func (f *File) Sync() error {
	if f.file == nil || !IsRegular(f.info) {
		return nil
	}
	return f.file.Sync()
}

// Close closes the file, and removes it if it is new and nothing was written. It does not close a
// stream.
func (f *File) Close() error {
	if f.file == nil {
		return nil
	}
	err := f.closeCompressor()
	switch {
	case f.target != "":
		err = errors.Join(err, f.commit())
	case f.isNew && !f.truncated:
		err = errors.Join(err, filelock.Remove(f.file))
	default:
		err = errors.Join(err, f.file.Close())
	}
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", f.name, err)
}

// wholeWrites is a file that undoes failed writes.
type wholeWrites struct{ file *os.File }

func (w wholeWrites) Write(p []byte) (int, error) {
	n, err := w.file.Write(p)
	if err == nil || n == 0 {
		return n, err
	}
	end, seekErr := w.file.Seek(-int64(n), io.SeekCurrent)
	if seekErr != nil {
		return n, errors.Join(err, seekErr)
	}
	if cutErr := w.file.Truncate(end); cutErr != nil {
		return 0, errors.Join(err, cutErr)
	}
	return 0, err
}
