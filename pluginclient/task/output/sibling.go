package output

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"qhsh/engine/interruptible"
)

// A Sibling is a file that a command writes and removes next to another, without being told its
// name.
type Sibling struct {
	Path string
	Use  string // what it is to the other, for a person; empty: it is kept beside that
	// Own reports whether the file that is there may be of a former run.
	Own func(path string) (bool, error)
}

// CheckSiblings returns an error if a sibling of an output or an input is a file of the command
// line, or belongs to somebody else.
func CheckSiblings(of FileUse, siblings []Sibling, files ...FileUse) error {
	for _, s := range siblings {
		if err := s.conflict(of, files); err != nil {
			return err
		}
		own := false
		info, err := os.Lstat(s.Path)
		if err == nil && IsRegular(info) {
			own, err = s.Own(s.Path)
		}
		switch {
		case errors.Is(err, fs.ErrNotExist): // or not any more: another run has removed it
		case errors.Is(err, fs.ErrPermission): // whoever wants to open it says so
		case err != nil:
			return fmt.Errorf("%s: %w", of.Name, err)
		case !own:
			return fmt.Errorf("%s: %s exists and was not written by qhsh: rename it%s", of.Name, s.Path, of.orAnother())
		}
	}
	return nil
}

// conflict returns an error if the sibling is one of some files.
func (s Sibling) conflict(of FileUse, files []FileUse) error {
	info, _ := os.Stat(s.Path)
	file := FileUse{Path: s.Path, Info: info}
	use := cmp.Or(s.Use, "that is kept beside")
	for _, f := range files {
		switch {
		case !file.same(f):
		case f.Read:
			return fmt.Errorf("%s: %s beside it is an input: rename that file%s", of.Name, s.Path, of.orAnother())
		default:
			return fmt.Errorf("%s: that is the file %s %s", f.Name, use, of.Name)
		}
	}
	return nil
}

// orAnother returns the other way out, besides renaming a sibling: another output.
func (u FileUse) orAnother() string {
	if u.Read {
		return ""
	}
	flagName, _, _ := strings.Cut(u.Name, " ")
	return ", or choose another " + flagName
}

// HasPrefix reports whether a file starts with a prefix, as far as the file goes, or with a zero
// byte, as a killed process may leave it.
func HasPrefix(path, with string) (bool, error) {
	file, err := interruptible.OpenRegular(path)
	if err != nil {
		return false, err
	}
	defer file.Close()
	head := make([]byte, len(with))
	n, err := io.ReadFull(file, head)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return false, err
	}
	return n == 0 || head[0] == 0 || strings.HasPrefix(with, string(head[:n])), nil
}
