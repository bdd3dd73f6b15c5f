package pluginclient

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Locate returns the absolute paths of the program and of the folder in which it runs: Dir, or else
// the program's own folder, where engines look for their books and networks, if Path has a slash. A
// program found in PATH, such as an interpreter, runs in the current folder, since its arguments
// name files there. The error of a program that is missing says where there is one.
func (c Command) Locate() (path, dir string, err error) {
	if dir, err = filepath.Abs(c.Dir); err != nil {
		return "", "", err
	}
	if c.Dir != "" {
		info, err := os.Stat(c.Dir)
		if err == nil && !info.IsDir() {
			err = &fs.PathError{Op: "open", Path: c.Dir, Err: errors.New("not a folder")}
		}
		if err != nil {
			return "", "", fmt.Errorf("working directory: %w", err)
		}
	}
	name := c.Path
	if c.hasSlash() && c.Dir != "" {
		name = inFolder(dir, name)
	}
	path, err = exec.LookPath(name)
	if err != nil {
		return "", "", c.explainMissing(name, dir, err)
	}
	if path, err = filepath.Abs(path); err != nil {
		return "", "", err
	}
	if c.Dir == "" && c.hasSlash() {
		dir = filepath.Dir(path)
	}
	return path, dir, nil
}

func (c Command) hasSlash() bool { return filepath.Base(c.Path) != c.Path }

// inFolder returns the absolute path of a file whose name is relative to dir.
func inFolder(dir, name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(dir, name)
}

// explainMissing adds to the error of a program that is not where Locate looked, under this name,
// where there is one. dir is the folder in which the program would run.
func (c Command) explainMissing(name, dir string, err error) error {
	if info, err := os.Stat(name); err == nil && info.IsDir() {
		return errors.New("is a directory; name the program in it")
	}
	other, advice := inFolder(dir, name), fmt.Sprintf("name it .%c%s", filepath.Separator, c.Path)
	if c.hasSlash() {
		other, _ = filepath.Abs(c.Path)
		advice = "leave out dir= or name it by that path"
	}
	if !isFile(other) || c.hasSlash() && c.Dir == "" {
		return err // it is no program, or nowhere else
	}
	return fmt.Errorf("%w, but there is %s: %s", err, other, advice)
}

// Misplaced returns advice about the arguments of a program that did not start: those that name no
// file in the folder in which it runs, but one in the current folder or in the program's own. It
// returns "" if there are none.
func (c Command) Misplaced() string {
	path, dir, err := c.Locate()
	if err != nil {
		return ""
	}
	here, err := filepath.Abs(".")
	if err != nil {
		return ""
	}
	for _, arg := range c.Args {
		if arg == "" || strings.HasPrefix(arg, "-") || filepath.IsAbs(arg) {
			continue
		}
		if _, err := os.Stat(inFolder(dir, arg)); err == nil {
			continue
		}
		for _, other := range []string{here, filepath.Dir(path)} {
			if isFile(inFolder(other, arg)) {
				return fmt.Sprintf("there is no %s in %s, where the engine runs, but in %s: dir=%[3]s runs it there", arg, dir, other)
			}
		}
	}
	return ""
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}
