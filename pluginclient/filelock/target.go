package filelock

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// maxLinks is how many links may lead to a file one after the other.
const maxLinks = 40

// Resolve is the path of a file itself, whatever links lead there, also of one that is not there
// yet: where it would be made by who writes to the link.
func Resolve(path string) (string, error) {
	for range maxLinks {
		real, err := filepath.EvalSymlinks(path)
		if err == nil || !errors.Is(err, fs.ErrNotExist) {
			return real, err
		}
		next, err := os.Readlink(path)
		if err != nil { // the file is missing, not what a link leads to
			return inRealFolder(path), nil
		}
		if !filepath.IsAbs(next) {
			next = filepath.Join(filepath.Dir(inRealFolder(path)), next)
		}
		path = next
	}
	return "", fmt.Errorf("%s: too many links", path)
}

// inRealFolder is a path without links in its folders, if they are there.
func inRealFolder(path string) string {
	folder, err := filepath.EvalSymlinks(filepath.Dir(path))
	if err != nil {
		return path
	}
	return filepath.Join(folder, filepath.Base(path))
}
