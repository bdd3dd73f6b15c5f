package input

import (
	"context"
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

// Expand returns the files that a pattern stands for, since not every shell expands one, and those
// with known names in a folder and below it. What is the name of a file is no pattern. Any other
// name stays as it is, also where there is no such file.
func Expand(pattern string, known func(name string) bool) ([]string, error) {
	found := []string{pattern}
	if strings.ContainsAny(pattern, "*?[") {
		if _, err := os.Lstat(pattern); err != nil {
			if found, err = filepath.Glob(pattern); err == nil && len(found) == 0 {
				err = errors.New("there is no such file")
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
		inside, err := filesIn(name, known)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		names = append(names, inside...)
	}
	return names, nil
}

// filesIn returns the files with known names in a folder and below it, in the order of their
// names. What is hidden is left out.
func filesIn(folder string, known func(name string) bool) (names []string, err error) {
	err = fs.WalkDir(os.DirFS(folder), ".", func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil || path == ".":
			return err
		case strings.HasPrefix(entry.Name(), "."):
			if entry.IsDir() {
				return fs.SkipDir
			}
		case !entry.IsDir() && known(entry.Name()):
			names = append(names, filepath.Join(folder, filepath.FromSlash(path)))
		}
		return nil
	})
	if err == nil && len(names) == 0 {
		err = errors.New("no file in this folder has an extension that is known: name the files in it")
	}
	return names, err
}

// Positions returns the positions of a plain file, one a line. The error names the line that is wrong.
func Positions(game engine.Game, path string) (items []batch.Item, err error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	lines := batch.NewLines(game, "", file)
	for {
		item, err := lines.Next()
		switch {
		case err == io.EOF:
			return items, nil
		case err != nil:
			return nil, err
		case item.Err != nil:
			return nil, fmt.Errorf("%s:%d: %w", path, item.Line, item.Err)
		}
		items = append(items, item)
	}
}

// OpenFile opens a file, which the Source closes. The name of the options is that of the file.
func OpenFile(game engine.Game, o Options) (Source, error) {
	file, err := os.Open(o.Name)
	if err != nil {
		return nil, err
	}
	src, err := Open(game, file, o)
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return fileSource{src, file}, nil
}

// fileSource closes its file at the end.
type fileSource struct {
	Source
	file *os.File
}

func (f fileSource) Close() error { return errors.Join(f.Source.Close(), f.file.Close()) }

// countStep is how many positions are skipped before it is asked again whether to go on.
const countStep = 1000

// Count returns how many positions are left in a Source.
func Count(ctx context.Context, src Source) (total int, err error) {
	for ctx.Err() == nil {
		n, err := src.Skip(countStep)
		total += n
		if err == io.EOF {
			return total, nil
		}
		if err != nil {
			return 0, err
		}
	}
	return 0, context.Cause(ctx)
}
