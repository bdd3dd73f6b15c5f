package input

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"qhsh/engine"
	"qhsh/pluginclient/task/batch"
)

// Expand returns the files that match a pattern, since not every shell expands one, and the files
// with known names in and below a folder. A name of an existing file is not a pattern. Any other
// name is returned unchanged, even if no such file exists.
func Expand(pattern string, known func(name string) bool) ([]string, error) {
	found := []string{pattern}
	if strings.ContainsAny(pattern, "*?[") {
		if _, err := os.Lstat(pattern); err != nil {
			if found, err = filepath.Glob(pattern); err == nil && len(found) == 0 {
				err = errors.New("no such file")
			}
			if err != nil {
				return nil, fmt.Errorf("%s: %w", pattern, err)
			}
		}
	}
	var names []string
	for _, name := range found {
		info, err := os.Stat(name)
		if err != nil || !info.IsDir() {
			names = append(names, name)
			continue
		}
		inside, err := FilesIn(os.DirFS(name), known)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		for _, path := range inside {
			names = append(names, filepath.Join(name, filepath.FromSlash(path)))
		}
	}
	return names, nil
}

// FilesIn returns the files with known names in and below a folder, sorted. Hidden ones are
// skipped.
func FilesIn(folder fs.FS, known func(name string) bool) (names []string, err error) {
	err = fs.WalkDir(folder, ".", func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil || path == ".":
			return err
		case strings.HasPrefix(entry.Name(), "."):
			if entry.IsDir() {
				return fs.SkipDir
			}
		case !entry.IsDir() && known(entry.Name()):
			names = append(names, path)
		}
		return nil
	})
	if err == nil && len(names) == 0 {
		err = errors.New("no file in this folder has a known extension: name the files themselves")
	}
	return names, err
}

// Positions returns the positions of a plain text, one per line. The error names the file and the bad
// line.
func Positions(game engine.Game, name string, text io.Reader) (items []batch.Item, err error) {
	lines := batch.NewLines(game, "", text)
	for {
		item, err := lines.Next()
		switch {
		case err == io.EOF:
			return items, nil
		case err != nil:
			return nil, err
		case item.Err != nil:
			return nil, fmt.Errorf("%s:%d: %w", name, item.Line, item.Err)
		}
		items = append(items, item)
	}
}

// OpenAndClose is [Open] of a file that the Source closes; if there is an error, it is closed at once.
func OpenAndClose(game engine.Game, file io.ReadCloser, o Options) (*Source, error) {
	src, err := Open(game, file, o)
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	src.closers = append(src.closers, file)
	return src, nil
}
