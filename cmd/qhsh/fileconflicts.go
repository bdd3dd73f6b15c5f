package main

import (
	"qhsh/pluginclient/attach"
	"qhsh/pluginclient/task/hints"
	"qhsh/pluginclient/task/output"
)

// engineFiles returns the files that running the engines of specs reads: engines.json, their
// programs, and the files that their options name.
func engineFiles(h host, specs ...string) ([]output.FileUse, error) {
	names, err := engineNames(h)
	if err != nil {
		return nil, err
	}
	paths := []string{engineNamesPath(h)}
	for _, spec := range specs {
		d, err := attach.Describe(spec, h.attachOptions(names))
		if err == nil { // else opening it says what is wrong
			paths = append(append(paths, d.Files...), d.Reads...)
		}
	}
	return output.InputsAt(paths...), nil
}

// refuseShared makes sure, before any file is opened, that no file is written twice, or both read
// and written, or belongs to a run.
func refuseShared(files ...output.FileUse) error {
	if err := output.Conflict(files...); err != nil {
		return usageError{err}
	}
	for _, f := range files {
		if hints.IsRunLog(f) {
			return usagef("%s: belongs to a run of 'qhsh hints': name another file", f.Name)
		}
	}
	return nil
}
