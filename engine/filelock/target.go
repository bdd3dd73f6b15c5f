package filelock

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// maxLinks is the maximum length of a chain of symbolic links.
const maxLinks = 40

// Resolve returns path with all symbolic links resolved. If the file does not exist yet, it returns
// the path at which writing to path would create it.
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

// inRealFolder returns path with the links in its directory resolved, if the directory exists.
func inRealFolder(path string) string {
	folder, err := filepath.EvalSymlinks(filepath.Dir(path))
	if err != nil {
		return path
	}
	return filepath.Join(folder, filepath.Base(path))
}
