package main

import (
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// A replacement is the new content of a file while it is written, in a file of its own beside
// it. Whoever reads the old file, or writes another replacement, is not disturbed.
type replacement struct {
	target  string // the file; empty: there is no replacement
	whole   bool   // all of it is there
	salvage bool   // a part of it is worth keeping
}

// replace opens the file of -o so that it is either as it was or has all that is written,
// once finish has been called. Without -o, and where it is no ordinary file, it is open.
func (o outputFlags) replace(h host) (*output, error) {
	target, err := filepath.EvalSymlinks(o.path)
	if err != nil {
		target = o.path
	}
	info, err := os.Lstat(target)
	if o.path == "" || err == nil && !regular(info) {
		return o.open(h)
	}
	name, mode := "-o "+o.path, fs.FileMode(0o666)
	if err == nil {
		mode = info.Mode().Perm()
		if file, err := os.OpenFile(target, os.O_WRONLY, 0); err != nil {
			return nil, usagef("-o: %w", err)
		} else if err := file.Close(); err != nil {
			return nil, usagef("-o: %w", err)
		}
	}
	file, err := os.OpenFile(target+"."+rand.Text()[:8]+".part", os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return nil, usagef("%s: %w", name, err)
	}
	out := &output{Writer: file, name: name, info: info, file: file, replacement: replacement{target: target}}
	return out, out.compress(filepath.Ext(o.path))
}

// finish tells an output that a command has written all that it will, and how it ended. A
// file stays as it was if the command has been broken off, or has written nothing because of
// an error.
func (o *output) finish(err error) error {
	if err == nil {
		err = o.begin()
	}
	o.whole = err == nil || errors.Is(err, errSomeFailed) && o.begun
	return err
}

// rest is the name of the file that stays where a command has been broken off; empty: there
// is none.
func (o *output) rest() string {
	if o.target == "" || o.whole || !o.salvage || !o.begun {
		return ""
	}
	return o.file.Name()
}

// put puts the replacement, whose file is closed, where it belongs.
func (o *output) put() error {
	switch part := o.file.Name(); {
	case o.whole:
		return os.Rename(part, o.target)
	case o.rest() != "":
		return nil
	default:
		return os.Remove(part)
	}
}
