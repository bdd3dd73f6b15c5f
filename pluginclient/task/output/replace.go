package output

import (
	"context"
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// A replacement is the new content of a file while it is written, in a file of its own next to it.
// Whoever reads the old file, or writes another replacement, is not disturbed.
type replacement struct {
	target      string // the file; empty: there is no replacement
	complete    bool   // all of it is there
	keepPartial bool   // a part of it is worth keeping
}

// Replace opens an output so that its file is either as it was or has all that is written, once
// Finish has been called. A file that is no ordinary one is opened as Open does.
func Replace(ctx context.Context, o Options) (*File, error) {
	target, err := filepath.EvalSymlinks(o.Path)
	if err != nil {
		target = o.Path
	}
	info, err := os.Lstat(target)
	if o.Path == "" || err == nil && !IsRegular(info) {
		return Open(ctx, o)
	}
	mode := fs.FileMode(0o666)
	if err == nil {
		mode = info.Mode().Perm()
		if err := checkWritable(target); err != nil {
			return nil, &OpenError{o.Flag, err}
		}
	}
	part, err := os.OpenFile(target+"."+rand.Text()[:8]+".part", os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return nil, &OpenError{o.name(), err}
	}
	f := newFile(part, o)
	f.replacement = replacement{target: target, keepPartial: o.KeepPartial}
	if o.Compress {
		err = f.compress()
	}
	return f, err
}

// checkWritable returns the error of writing to a file that is there.
func checkWritable(path string) error {
	file, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	return file.Close()
}

// PartialPath returns the name of the file that stays where a replacement has been broken off; empty if
// there is none.
func (f *File) PartialPath() string {
	if f.target == "" || f.complete || !f.keepPartial || !f.truncated {
		return ""
	}
	return f.file.Name()
}

// commit closes a replacement and puts it where it belongs.
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
