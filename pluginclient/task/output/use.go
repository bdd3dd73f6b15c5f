package output

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"qhsh/engine/filelock"
)

// A FileUse is a file that a command line reads or writes. The zero value means none.
type FileUse struct {
	Name string      // for a person, such as "-o x.jsonl"; empty: it is an operand or the like
	Path string      // empty: it has none that is known, as standard output
	Info fs.FileInfo // nil: it is not there
	Read bool        // and not written
}

// Use returns the FileUse of an output that has not been opened.
func (o Options) Use() FileUse {
	if o.Path == "" {
		return FileUse{Name: o.name(), Info: Stat(o.Stream)}
	}
	info, _ := os.Stat(o.Path)
	return FileUse{Name: o.name(), Path: o.Path, Info: info}
}

// WrittenFile returns the FileUse of the file that a flag names; the zero value if path is empty.
func WrittenFile(flag, path string) FileUse {
	if path == "" {
		return FileUse{}
	}
	return Options{Flag: flag, Path: path}.Use()
}

// Inputs returns the uses of inputs of which nothing but the infos is known.
func Inputs(infos ...fs.FileInfo) []FileUse {
	uses := make([]FileUse, len(infos))
	for i, info := range infos {
		uses[i] = FileUse{Info: info, Read: true}
	}
	return uses
}

// InputsAt returns the uses of inputs that have paths. Those that are not there are left out.
func InputsAt(paths ...string) []FileUse {
	var infos []fs.FileInfo
	for _, path := range paths {
		if info, err := os.Stat(path); err == nil {
			infos = append(infos, info)
		}
	}
	return Inputs(infos...)
}

// Conflict returns an error if a file is written twice, or both read and written.
func Conflict(uses ...FileUse) error {
	var written []FileUse
	for i, u := range uses {
		before := uses[:i]
		if u.Read { // inputs may be many, and two of them are not compared
			before = written
		} else {
			written = append(written, u)
		}
		for _, other := range before {
			out, in := other, u
			if out.Read {
				out, in = u, other
			}
			switch {
			case !u.same(other):
			case in.Name == "":
				return fmt.Errorf("%s: that is an input", out.Name)
			default:
				return fmt.Errorf("%s and %s are the same file", other.Name, u.Name)
			}
		}
	}
	return nil
}

// same reports whether two uses mean the same file, existing or not. Devices and pipes, which can
// be both read and written, are never the same.
func (u FileUse) same(v FileUse) bool {
	if u.Info != nil || v.Info != nil {
		return IsRegular(u.Info) && IsRegular(v.Info) && os.SameFile(u.Info, v.Info)
	}
	a, b := RealPath(u.Path), RealPath(v.Path) // of missing files
	ignoreCase := runtime.GOOS == "windows" || runtime.GOOS == "darwin"
	return u.Path != "" && v.Path != "" && (a == b || ignoreCase && strings.EqualFold(a, b))
}

// RealPath returns an absolute path without links, for comparison.
func RealPath(path string) string {
	if real, err := filelock.Resolve(path); err == nil {
		path = real
	}
	if abs, err := filepath.Abs(path); err == nil {
		path = abs
	}
	return path
}
