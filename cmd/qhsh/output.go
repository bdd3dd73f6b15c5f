package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"qhsh/pluginclient/batch"
)

// errReaderGone is the error of a write to a pipe that nobody reads any more. It ends a
// command without a word.
var errReaderGone = errors.New("the reader has gone")

// stdout is a standard output whose closing early is told apart from input errors.
type stdout struct{ io.Writer }

func (s stdout) Write(p []byte) (int, error) {
	n, err := s.Writer.Write(p)
	if err != nil && brokenPipe(err) {
		err = fmt.Errorf("%w: %w", errReaderGone, err)
	}
	return n, err
}

// outputFlags are -o and -format.
type outputFlags struct{ path, format string }

// choose is the format that the flags ask for.
func (o outputFlags) choose() (batch.Format, error) {
	if o.format != "" {
		f, ok := batch.FormatNamed(o.format)
		if !ok {
			return f, usagef("-format %s: want %s", o.format, formatNames())
		}
		return f, nil
	}
	if o.path == "" {
		return batch.Formats()[0], nil
	}
	f, ok := batch.FormatOf(o.path)
	if !ok {
		return f, usagef("-o %s: the extension tells the format, and there are %s; or name it with -format",
			o.path, extensions())
	}
	return f, nil
}

func formatNames() string {
	var names []string
	for _, f := range batch.Formats() {
		names = append(names, f.Name)
	}
	return strings.Join(names, " or ")
}

func extensions() string {
	var all []string
	for _, f := range batch.Formats() {
		all = append(all, f.Extensions...)
	}
	return strings.Join(all, " ")
}

// refuseOverwriting makes sure that a file that is to be created is none of those that
// are read. An empty path is no file.
func refuseOverwriting(flag, path string, inputs []fs.FileInfo) error {
	info, err := os.Stat(path)
	if err != nil {
		return nil // it is not there, or its creation will tell
	}
	for _, input := range inputs {
		if input != nil && input.Mode().IsRegular() && os.SameFile(info, input) {
			return usagef("%s %s: that is an input", flag, path)
		}
	}
	return nil
}

// open creates the output; without -o it is standard output, which close leaves alone.
func (o outputFlags) open(h host) (w io.Writer, closing func() error, err error) {
	if o.path == "" {
		return h.Stdout, func() error { return nil }, nil
	}
	file, err := os.Create(o.path)
	if err != nil {
		return nil, nil, usagef("-o: %w", err)
	}
	return file, func() error {
		if err := file.Close(); err != nil {
			return fmt.Errorf("-o: %w", err)
		}
		return nil
	}, nil
}
