package output

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"qhsh/pluginclient/filelock"
)

// A FileUse is a file that a command line has a command read or write. The zero value is none.
type FileUse struct {
	Name string      // for a person, such as "-o x.jsonl"; empty: it is an operand or the like
	Path string      // empty: it has none that is known, as standard output
	Info fs.FileInfo // nil: it is not there
	Read bool        // and not written
}

// Use returns the use of an output that has not been opened.
func (o Options) Use() FileUse {
	if o.Path == "" {
		return FileUse{Name: o.name(), Info: Stat(o.Stream)}
	}
	info, _ := os.Stat(o.Path)
	return FileUse{Name: o.name(), Path: o.Path, Info: info}
}

// WrittenFile returns the use of the file that a flag names; the zero Use if it names none.
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

// Conflict returns an error if a file is written in two ways, or read and written.
func Conflict(uses ...FileUse) error {
	for i, u := range uses {
		for _, other := range uses[:i] {
			out, in := other, u
			if out.Read {
				out, in = u, other
			}
			switch {
			case out.Read || !u.Same(other):
			case in.Name == "":
				return fmt.Errorf("%s: that is an input", out.Name)
			default:
				return fmt.Errorf("%s and %s are the same file", other.Name, u.Name)
			}
		}
	}
	return nil
}

// Same reports whether two uses are of the same file, whether it is there or not. Devices and pipes,
// which can be written and read at will, are never the same.
func (u FileUse) Same(v FileUse) bool {
	if u.Info != nil || v.Info != nil {
		return IsRegular(u.Info) && IsRegular(v.Info) && os.SameFile(u.Info, v.Info)
	}
	return u.Path != "" && v.Path != "" && samePath(u.Path, v.Path)
}

// samePath compares names of files that are not there.
func samePath(a, b string) bool {
	a, b = RealPath(a), RealPath(b)
	if runtime.GOOS == "windows" || runtime.GOOS == "darwin" {
		return strings.EqualFold(a, b)
	}
	return a == b
}

// RealPath returns a path in the form in which paths can be compared: absolute, without links.
func RealPath(path string) string {
	if real, err := filelock.Resolve(path); err == nil {
		path = real
	}
	if abs, err := filepath.Abs(path); err == nil {
		path = abs
	}
	return path
}
