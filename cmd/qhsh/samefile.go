package main

import (
	"io/fs"
	"os"
	"path/filepath"
)

// refuseSame makes sure that no file is written in two ways, or read and written. The
// trace may be nil, and so may inputs that are no files.
func refuseSame(out, trace *output, inputs ...fs.FileInfo) error {
	outputs := []*output{out}
	if trace != nil {
		if sameFile(out.info, trace.info) {
			return usagef("%s and %s are the same file", out.name, trace.name)
		}
		outputs = append(outputs, trace)
	}
	for _, o := range outputs {
		for _, input := range inputs {
			if sameFile(o.info, input) {
				return usagef("%s: that is an input", o.name)
			}
		}
	}
	return nil
}

// sameFile does not mind devices and pipes, which can be written and read at will.
func sameFile(a, b fs.FileInfo) bool { return regular(a) && regular(b) && os.SameFile(a, b) }

// A flagFile is the file that a flag names; no path: the flag is not given.
type flagFile struct{ flag, path string }

// refuseSamePaths makes sure before any file is opened that no two flags name the same one.
func refuseSamePaths(files ...flagFile) error {
	for i, f := range files {
		for _, other := range files[:i] {
			if f.path != "" && other.path != "" && samePath(f.path, other.path) {
				return usagef("%s %s and %s %s are the same file", other.flag, other.path, f.flag, f.path)
			}
		}
	}
	return nil
}

// samePath does not need the files to be there.
func samePath(a, b string) bool {
	infoA, errA := os.Stat(a)
	infoB, errB := os.Stat(b)
	if errA == nil && errB == nil {
		return sameFile(infoA, infoB)
	}
	absA, errA := filepath.Abs(a)
	absB, errB := filepath.Abs(b)
	return errA == nil && errB == nil && absA == absB
}
