package output

import (
	"context"
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// A replacement is the new content of a file while it is written, in a file of its own beside it.
// Whoever reads the old file, or writes another replacement, is not disturbed.
type replacement struct {
	target string // the file; empty: there is no replacement
	whole  bool   // all of it is there
	keep   bool   // a part of it is worth keeping
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
		if err := mayWrite(target); err != nil {
			return nil, &OpenError{o.Flag, err}
		}
	}
	part, err := os.OpenFile(target+"."+rand.Text()[:8]+".part", os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return nil, &OpenError{o.name(), err}
	}
	f := newFile(part, o)
	f.replacement = replacement{target: target, keep: o.KeepPart}
	if o.Compress {
		err = f.compress()
	}
	return f, err
}

// mayWrite returns the error of writing to a file that is there.
func mayWrite(path string) error {
	file, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	return file.Close()
}

// Part returns the name of the file that stays where a replacement has been broken off; empty if
// there is none.
func (f *File) Part() string {
	if f.target == "" || f.whole || !f.keep || !f.begun {
		return ""
	}
	return f.file.Name()
}

// put closes a replacement and puts it where it belongs.
func (f *File) put() error {
	var err error
	if f.whole {
		err = f.file.Sync()
	}
	err = errors.Join(err, f.file.Close())
	f.whole = f.whole && err == nil
	switch part := f.file.Name(); {
	case f.whole:
		return os.Rename(part, f.target)
	case f.Part() != "":
		return err
	default:
		return errors.Join(err, os.Remove(part))
	}
}
