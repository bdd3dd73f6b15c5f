package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"qhsh/engine"
	"qhsh/engine/xiangqi"
	"qhsh/pluginclient/batch"
)

// stdinName is the operand that stands for standard input.
const stdinName = "-"

// inputs are the position files of a command line, in order.
type inputs struct {
	names []string
	stdin io.Reader
	infos []fs.FileInfo // of the files; nil where there is none
}

// findInputs makes sure that every input is there before any work begins. Without
// operands it is standard input.
func findInputs(h host, operands []string) (*inputs, error) {
	in := &inputs{names: operands, stdin: h.Stdin}
	if len(operands) == 0 {
		if h.StdinTTY {
			return nil, usagef("it reads positions, one a line: name a FILE, pipe them in, or type them after 'qhsh hints -'")
		}
		in.names = []string{stdinName}
	}
	for _, name := range in.names {
		info, err := in.stat(name)
		if err != nil {
			return nil, notThere(operands, err)
		}
		in.infos = append(in.infos, info)
	}
	return in, nil
}

// notThere is the error of an input that cannot be read. Who writes a position where a
// file should stand is told how to ask about it.
func notThere(operands []string, err error) error {
	if errors.Is(err, fs.ErrNotExist) && batch.Parse(xiangqi.Rules, strings.Join(operands, " ")).Err == nil {
		return usagef("that is a position, and operands are files: pipe it in, as in 'echo POSITION | qhsh hints'")
	}
	var path *fs.PathError
	if errors.As(err, &path) {
		err = fmt.Errorf("%s: %w", path.Path, path.Err)
	}
	return usageError{err}
}

// findPosition reads operands that are one position; without any it is the start of a
// game.
func findPosition(operands []string) (engine.Position, error) {
	if len(operands) == 0 {
		return xiangqi.Start(), nil
	}
	item := batch.Parse(xiangqi.Rules, strings.Join(operands, " "))
	if item.Err == nil {
		return item.Pos, nil
	}
	if _, err := os.Stat(operands[0]); err == nil {
		return nil, usagef("%s is a file: want one position, such as startpos", operands[0])
	}
	return nil, usageError{item.Err}
}

// stat tries to open a file.
func (in *inputs) stat(name string) (fs.FileInfo, error) {
	if name == stdinName {
		file, ok := in.stdin.(interface{ Stat() (fs.FileInfo, error) })
		if !ok {
			return nil, nil
		}
		info, err := file.Stat()
		if err != nil {
			return nil, nil //nolint:nilerr // a closed standard input says so when it is read
		}
		return info, nil
	}
	info, err := os.Stat(name)
	switch {
	case err != nil:
		return nil, err
	case info.IsDir():
		return nil, fmt.Errorf("%s is a folder: name the files in it", name)
	case !info.Mode().IsRegular():
		return info, nil // opening a pipe has an effect
	}
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	return info, file.Close()
}

// count is the number of positions; 0 if it cannot be told beforehand.
func (in *inputs) count() int {
	total := 0
	for i, name := range in.names {
		if name == stdinName || !in.infos[i].Mode().IsRegular() {
			return 0
		}
		n, err := countFile(name)
		if err != nil {
			return 0
		}
		total += n
	}
	return total
}

func countFile(name string) (int, error) {
	file, err := os.Open(name)
	if err != nil {
		return 0, err
	}
	defer file.Close()
	return batch.Count(file)
}

// source reads the inputs behind each other. If there are several, every position has
// the name of its file.
func (in *inputs) source(game engine.Game) batch.Source {
	var open []func() (batch.Source, error)
	for _, name := range in.names {
		label := ""
		if len(in.names) > 1 {
			label = name
		}
		open = append(open, func() (batch.Source, error) { return in.open(game, name, label) })
	}
	return batch.Concat(open...)
}

func (in *inputs) open(game engine.Game, name, label string) (batch.Source, error) {
	if name == stdinName {
		return batch.NewLines(game, label, in.stdin), nil
	}
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	return fileSource{batch.NewLines(game, label, file), file}, nil
}

// fileSource closes its file at the end.
type fileSource struct {
	*batch.Lines
	io.Closer
}
