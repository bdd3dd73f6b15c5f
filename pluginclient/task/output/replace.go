package output

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"qhsh/engine/filelock"
	"qhsh/engine/lazyregexp"
)

// A replacement is a file's new content, written to a temporary file next to it, which is locked. Readers of
// the old file and other replacements are not disturbed.
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
		old, err := os.OpenFile(target, os.O_WRONLY, 0) // it must be writable, too
		if err == nil {
			err = old.Close()
		}
		if err != nil {
			return nil, &OpenError{o.Flag, err}
		}
	}
	part, err := createTemp(target, mode)
	var path *fs.PathError
	if errors.As(err, &path) {
		err = &fs.PathError{Op: op, Path: o.Path, Err: path.Err} // nobody has named the temporary file
	}
	if err != nil {
		return nil, &OpenError{o.Flag, err}
	}
	f := newFile(part, o)
	f.replacement = replacement{target: target, keepPartial: o.KeepPartial}
	return f, nil
}

// tempName matches what the name of a temporary file has behind that of its target.
var tempName = lazyregexp.New(`^\.[A-Z2-7]{8}-new$`)

// createTemp creates and locks a temporary file for a target, and removes those that killed processes left.
func createTemp(target string, mode fs.FileMode) (*os.File, error) {
	folder, name := filepath.Split(target)
	files, _ := os.ReadDir(cmp.Or(folder, ".")) // creating the file tells what is wrong
	for _, f := range files {
		if rest, ok := strings.CutPrefix(f.Name(), name); ok && tempName().MatchString(rest) {
			filelock.RemoveAbandoned(folder + f.Name())
		}
	}
	return filelock.Locked(func() (*os.File, error) {
		return os.OpenFile(filelock.TempPath(target+"."+rand.Text()[:8]), os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	})
}

// PartialPath returns the name of the file that remains of an incomplete replacement; "" if none.
func (f *File) PartialPath() string {
	if f.target == "" || f.complete || !f.keepPartial || !f.truncated {
		return ""
	}
	return strings.TrimSuffix(f.file.Name(), filelock.TempPath("")) + ".part"
}

// commit renames a replacement that is complete, or is kept although it is not, and closes it.
func (f *File) commit() error {
	err := f.file.Sync()
	f.complete = f.complete && err == nil
	switch part := f.PartialPath(); {
	case f.complete:
		return filelock.RenameAndClose(f.file, f.file.Name(), f.target)
	case part != "":
		return errors.Join(err, filelock.RenameAndClose(f.file, f.file.Name(), part))
	default:
		return errors.Join(err, filelock.Remove(f.file))
	}
}
