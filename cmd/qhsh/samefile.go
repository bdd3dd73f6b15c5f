package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"qhsh/pluginclient/attach"
	"qhsh/pluginclient/filelock"
	"qhsh/pluginclient/task/batch/journal"
)

// A usedFile is a file that a command line has a command read or write. The zero value is
// none.
type usedFile struct {
	name string      // for a person, as "-o x.jsonl"; empty: it is an operand or the like
	path string      // empty: it has none that is known, as standard output
	info fs.FileInfo // nil: it is not there
	read bool        // and not written
}

// written is the file of a flag that names an output; no file if the flag is not given.
func written(flagName, path string) usedFile {
	if path == "" {
		return usedFile{}
	}
	info, _ := os.Stat(path)
	return usedFile{name: flagName + " " + path, path: path, info: info}
}

// used is the file of -o, or standard output.
func (o outputFlags) used(h host) usedFile {
	if o.path != "" {
		return written("-o", o.path)
	}
	return usedFile{name: "standard output", info: statOf(h.Stdout)}
}

// inputsOf are inputs of which nothing but their infos is to be known.
func inputsOf(infos ...fs.FileInfo) []usedFile {
	files := make([]usedFile, len(infos))
	for i, info := range infos {
		files[i] = usedFile{info: info, read: true}
	}
	return files
}

// namedInputs are inputs that have names; those that are not there are passed over.
func namedInputs(paths ...string) []usedFile {
	var infos []fs.FileInfo
	for _, path := range paths {
		if info, err := os.Stat(path); err == nil {
			infos = append(infos, info)
		}
	}
	return inputsOf(infos...)
}

// engineFiles are the files that asking the engines of SPECs reads: engines.json, and their
// programs.
func engineFiles(h host, specs ...string) ([]usedFile, error) {
	names, err := engineNames(h)
	if err != nil {
		return nil, err
	}
	paths := []string{engineNamesPath(h)}
	for _, spec := range specs {
		d, err := attach.Describe(spec, h.named(names))
		if err == nil { // else opening it says what is wrong
			paths = append(paths, d.Files...)
		}
	}
	return namedInputs(paths...), nil
}

// statOf is what is known of a stream that is a file; nil if it is none.
func statOf(stream any) fs.FileInfo {
	file, ok := stream.(interface{ Stat() (fs.FileInfo, error) })
	if !ok {
		return nil
	}
	info, err := file.Stat()
	if err != nil {
		return nil // a closed one says so when it is used
	}
	return info
}

// refuseShared makes sure, before any file is opened, that none is written in two ways, or
// read and written, or belongs to a run.
func refuseShared(files ...usedFile) error {
	for i, f := range files {
		for _, other := range files[:i] {
			output, input := other, f
			if output.read {
				output, input = f, other
			}
			switch {
			case output.read || !f.same(other):
			case input.name == "":
				return usagef("%s: that is an input", output.name)
			default:
				return usagef("%s and %s are the same file", other.name, f.name)
			}
		}
	}
	for _, f := range files {
		if f.ofRun() {
			return usagef("%s: that file belongs to a run of 'qhsh hints': name another file", f.name)
		}
	}
	return nil
}

// same does not need the files to be there. It does not mind devices and pipes, which can be
// written and read at will.
func (f usedFile) same(g usedFile) bool {
	if f.info != nil || g.info != nil {
		return regular(f.info) && regular(g.info) && os.SameFile(f.info, g.info)
	}
	return f.path != "" && g.path != "" && samePath(f.path, g.path)
}

// samePath compares names of files that are not there.
func samePath(a, b string) bool {
	a, b = realPath(a), realPath(b)
	if runtime.GOOS == "windows" || runtime.GOOS == "darwin" {
		return strings.EqualFold(a, b)
	}
	return a == b
}

// realPath is a name in the one way in which names can be compared.
func realPath(path string) string {
	if real, err := filelock.Target(path); err == nil {
		path = real
	}
	if abs, err := filepath.Abs(path); err == nil {
		path = abs
	}
	return path
}

// ofRun reports whether an output is a file by which a run of hints can be resumed.
func (f usedFile) ofRun() bool {
	if f.read || f.path == "" || !regular(f.info) {
		return false
	}
	path := realPath(f.path)
	if run, err := journal.Read(path); err == nil && run.Manifest != nil {
		return true
	}
	output, isPart := strings.CutSuffix(path, partSuffix)
	if !isPart {
		return false
	}
	run, err := journal.Read(journal.Path(output))
	return err == nil && ownsPart(run, path)
}
