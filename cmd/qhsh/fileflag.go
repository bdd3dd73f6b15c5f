package main

import (
	"flag"

	"qhsh/pluginclient/task/hints"
	"qhsh/pluginclient/task/output"
)

// stdoutName is the value of a flag for a file that stands for standard output.
const stdoutName = "-"

// fileValue is a flag that names a file. That the command reads or writes it is all that must be known
// to refuse a file that is used twice, see [host.usedFiles].
type fileValue struct {
	path *string
	read bool
}

func (v fileValue) String() string { return *v.path }

func (v fileValue) Set(text string) error {
	*v.path = text
	return nil
}

// writesFile defines a flag for a file that the command writes.
func writesFile(fs *flag.FlagSet, path *string, name, usage string) {
	fs.Var(fileValue{path: path}, name, usage)
}

// readsFile defines a flag for a file that the command reads.
func readsFile(fs *flag.FlagSet, path *string, name, usage string) {
	fs.Var(fileValue{path, true}, name, usage)
}

// usedFiles returns the files that flags name, and standard output.
func (h host) usedFiles(fs *flag.FlagSet) []output.FileUse {
	uses := []output.FileUse{outputFlags{}.used(h)}
	fs.VisitAll(func(f *flag.Flag) {
		v, ok := f.Value.(fileValue)
		if !ok || *v.path == "" || *v.path == stdoutName {
			return
		}
		use := output.WrittenFile("-"+f.Name, *v.path)
		use.Read = v.read
		if f.Name == "o" {
			uses = append([]output.FileUse{use}, uses...) // it is named first
		} else {
			uses = append(uses, use)
		}
	})
	return uses
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
