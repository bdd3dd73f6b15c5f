package main

import (
	"context"
	"flag"

	"qhsh/pluginclient/task/output"
)

// progressFlag is -progress, the file in which a command reports its progress to programs.
type progressFlag string

const progressName = "progress"

func (f *progressFlag) define(fs *flag.FlagSet) {
	writesFile(fs, (*string)(f), progressName, "report the progress to `FILE` as lines of JSON, see 'qhsh help formats'")
}

// open opens the file, or returns nil if the flag is not set. isTaken reports whether the command
// itself writes to standard output.
func (f progressFlag) open(ctx context.Context, h host, isTaken bool) (*output.File, error) {
	o := output.Options{Flag: "-" + progressName, Path: string(f), Stream: h.Stdout}
	switch {
	case f == "":
		return nil, nil
	case f == stdoutName && isTaken:
		return nil, usagef("%s -: standard output is used by the command: name a file", o.Flag)
	case f == stdoutName:
		o.Path = ""
	}
	return output.Open(ctx, o)
}
