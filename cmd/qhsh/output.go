package main

import (
	"context"
	"errors"
	"flag"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"qhsh/pluginclient/format"
	"qhsh/pluginclient/task/batch"
	"qhsh/pluginclient/task/batch/input"
	"qhsh/pluginclient/task/hints"
	"qhsh/pluginclient/task/output"
)

// outputFlags are -o and -format. A command without -o writes to standard output.
type outputFlags struct{ path, format string }

func defineOutput[W any](fs *flag.FlagSet, o *outputFlags, formats format.Table[W]) {
	fs.Var(choice(&o.format, formats.NameList()), "format", "write in this `FORMAT`: "+formats.Names()+"; by default that of -o, else "+formats[0].Name)
	writesFile(fs, &o.path, "o", "write to `FILE`; its extension selects the format: "+formats.Extensions())
}

// defineFormat defines only -format. what is what the command writes, with a blank after it, or empty.
func defineFormat[W any](fs *flag.FlagSet, o *outputFlags, what string, formats format.Table[W]) {
	o.format = formats[0].Name
	fs.Var(choice(&o.format, formats.NameList()), "format", "write "+what+"in this `FORMAT`: "+formats.Names())
}

// choose returns the format that the flags select.
func choose[W any](o outputFlags, formats format.Table[W]) (format.Format[W], error) {
	if o.format != "" {
		f, ok := formats.ByName(o.format)
		if !ok {
			return f, usagef("-format %s: want %s", o.format, formats.Names())
		}
		return f, refusePage("-o", o.path, f.Name, f.Extensions)
	}
	if o.path == "" {
		return formats[0], nil
	}
	f, ok := formats.ByPath(input.TrimCompressedExt(o.path))
	if !ok {
		return f, usagef("-o %s: unknown extension: use %s, or -format",
			o.path, formats.Extensions())
	}
	return f, nil
}

// pageExtensions are those of files that a browser opens as a page, and whose scripts it runs.
var pageExtensions = []string{".html", ".htm", ".xhtml", ".xht", ".shtml", ".svg", ".xml"}

// refusePage returns an error if a file of a format has the extension of a page and the format is
// not one: names and comments in it would be scripts.
func refusePage(flag, path, format string, extensions []string) error {
	ext := strings.ToLower(filepath.Ext(input.TrimCompressedExt(path)))
	if slices.Contains(pageExtensions, ext) && !slices.Contains(extensions, ext) {
		return usagef("%s %s: a browser opens it as a page, but %s is not one: use another extension", flag, path, format)
	}
	return nil
}

// listWidth returns the columns of the terminal that a list is for; 0 for other outputs.
func (o outputFlags) listWidth(h host) (columns int) {
	if h.StdoutTTY && o.path == "" {
		columns, _ = h.terminalSize()
	}
	return columns
}

// database reports whether a format is a database, which must be written to a file.
func (o outputFlags) database(f batch.Format) (bool, error) {
	switch {
	case f.Write != nil:
		return false, nil
	case o.path == "":
		return true, usagef("-format %s: a database needs a file: name it with -o", f.Name)
	case input.TrimCompressedExt(o.path) != o.path:
		return true, usagef("-o %s: a database cannot be compressed while it is written", o.path)
	}
	return true, nil
}

// options returns the options of the output: the file of -o, or standard output.
func (o outputFlags) options(h host) output.Options {
	return output.Options{Flag: "-o", Path: o.path, Stream: h.Stdout, Exclusive: true, Compress: true}
}

func (o outputFlags) open(ctx context.Context, h host) (*output.File, error) {
	return output.Open(ctx, o.options(h))
}

// write writes the output by f, and completes it as finish does. open is output.Open or output.Replace.
func (o outputFlags) write(ctx context.Context, h host, open func(context.Context, output.Options) (*output.File, error), f func(w io.Writer) error) (err error) {
	out, err := open(ctx, o.options(h))
	if err != nil {
		return err
	}
	defer closeInto(&err, out.Close)
	return finish(out, f(out))
}

// finish completes an output after its command has returned err. It keeps the output if only some
// items failed.
func finish(out *output.File, err error) error {
	if err == nil || errors.Is(err, errSomeFailed) && out.Truncated() {
		return errors.Join(err, out.Finish())
	}
	return err
}

// used returns the file of -o, or standard output, for checks of conflicts.
func (o outputFlags) used(h host) output.FileUse { return o.options(h).Use() }

// openFlag opens the file of a flag other than -o. If path is "", output is discarded.
func openFlag(ctx context.Context, flag, path string) (*output.File, error) {
	return output.Open(ctx, output.Options{Flag: flag, Path: path})
}

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

// A keptFile is a file with those that a command keeps beside it.
type keptFile struct {
	output.FileUse
	siblings []output.Sibling
}

// refuseShared makes sure, before any file is opened, that no file is written twice, or both read
// and written, or belongs to a run, and that none is one of those that are kept beside others.
func refuseShared(files []output.FileUse, kept ...keptFile) error {
	for _, k := range kept {
		if err := output.CheckSiblings(k.FileUse, k.siblings, files...); err != nil {
			return usageError{err}
		}
	}
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
