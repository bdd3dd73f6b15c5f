package output

import (
	"context"
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// A replacement is a file's new content, written to a temporary file next to it. Readers of the old
// file and other replacements are not disturbed.
type replacement struct {
	target      string // the file; empty: there is no replacement
	complete    bool   // all of it is there
	keepPartial bool   // a part of it is worth keeping
}

// Replace opens an output whose file keeps its old contents until Finish has been called, and then
// has all that was written. A file that is not regular is opened as Open does.
func Replace(ctx context.Context, o Options) (*File, error) {
	target, err := filepath.EvalSymlinks(o.Path)
	if err != nil {
		target = o.Path
	}
	info, err := os.Lstat(target)
	if o.Path == "" || err == nil && !IsRegular(info) {
		return Open(ctx, o)
	}
	mode, op := fs.FileMode(0o666), "open"
	if err == nil {
		mode, op = info.Mode().Perm(), "replace"
		if err := checkWritable(target); err != nil {
			return nil, &OpenError{o.Flag, err}
		}
	}
	part, err := os.OpenFile(target+"."+rand.Text()[:8]+".part", os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	var path *fs.PathError
	if errors.As(err, &path) {
		err = &fs.PathError{Op: op, Path: o.Path, Err: path.Err} // nobody has named the temporary file
	}
	if err != nil {
		return nil, &OpenError{o.Flag, err}
	}
	f := newFile(part, o)
	f.replacement = replacement{target: target, keepPartial: o.KeepPartial}
	if o.Compress {
		err = f.compress()
	}
	return f, err
}

// checkWritable returns an error if an existing file cannot be written.
func checkWritable(path string) error {
	file, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	return file.Close()
}

// PartialPath returns the name of the file that remains of an incomplete replacement; "" if none.
func (f *File) PartialPath() string {
	if f.target == "" || f.complete || !f.keepPartial || !f.truncated {
		return ""
	}
	return f.file.Name()
}

// commit closes a replacement and, if it is complete, renames it.
func (f *File) commit() error {
	var err error
	if f.complete {
		err = f.file.Sync()
	}
	err = errors.Join(err, f.file.Close())
	f.complete = f.complete && err == nil
	switch part := f.file.Name(); {
	case f.complete:
		return os.Rename(part, f.target)
	case f.PartialPath() != "":
		return err
	default:
		return errors.Join(err, os.Remove(part))
	}
}
