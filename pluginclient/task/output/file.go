package output

import (
	"errors"
	"io"
	"io/fs"
	"os"

	"qhsh/engine/printable"
	"qhsh/pluginclient/filelock"
)

// A File is an output that is open.
type File struct {
	w         io.Writer // the compressor, the file, or a stream
	name      string    // for a person
	path      string    // empty: it is a stream
	info      fs.FileInfo
	file      *os.File // nil: it is a stream
	isNew     bool
	truncated bool // the contents that the file had are gone

	compressor io.WriteCloser // nil: what is written is not compressed
	ended      bool           // the end of what is compressed has been written
	replacement
}

// Name returns the name of the output for a person, such as "-o x.jsonl".
func (f *File) Name() string { return f.name }

// Path returns the path of the output; empty if it is a stream.
func (f *File) Path() string { return f.path }

// Info returns what was known of the file when it was opened; nil: nothing.
func (f *File) Info() fs.FileInfo { return f.info }

// IsNew reports whether the file was not there before it was opened.
func (f *File) IsNew() bool { return f.isNew }

// Truncated reports whether the contents that the file had before are gone.
func (f *File) Truncated() bool { return f.truncated }

// Write writes to the output; the first one empties the file. If it fails, an ordinary file is left
// without the part of p that it has taken: the file has whole writes.
func (f *File) Write(p []byte) (int, error) {
	if err := f.Truncate(); err != nil {
		return 0, err
	}
	return f.w.Write(p)
}

// Raw returns the output for what qhsh itself draws on a terminal. There is no colour in files.
func (f *File) Raw() io.Writer {
	if f.file == nil {
		return printable.Raw(f.w)
	}
	return f
}

// Truncate empties the file, if it has not been emptied yet.
func (f *File) Truncate() error {
	if f.truncated || f.file == nil {
		return nil
	}
	f.truncated = true
	if !IsRegular(f.info) {
		return nil
	}
	return f.file.Truncate(0)
}

// Finish says that all has been written, which may be nothing at all. It must not be followed by a
// Write.
func (f *File) Finish() error {
	err := f.Truncate()
	if err == nil {
		err = f.closeCompressor()
	}
	f.complete = err == nil
	return err
}

// Sync returns when the disk has what has been written to an ordinary file.
func (f *File) Sync() error {
	if f.file == nil || !IsRegular(f.info) {
		return nil
	}
	return f.file.Sync()
}

// Close closes the file. One that was made for nothing is removed. A stream stays open.
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
	return f.withName(err)
}

// rawWriter returns what writes to the file as it is.
func (f *File) rawWriter() io.Writer {
	if IsRegular(f.info) {
		return wholeWrites{f.file}
	}
	return EscapeIfTerminal(f.file)
}

// wholeWrites is a file that keeps nothing of a write that fails.
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
