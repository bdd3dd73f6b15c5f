package script

import (
	"bufio"
	"bytes"
	"fmt"
	"io"

	"go.starlark.net/starlark"

	"qhsh/engine/record"
)

// maxLine is the maximum length in bytes of a line of lines().
const maxLine = record.MaxLine

var linesFunction = function(`lines(path: str = "-") -> Iterable[str]`, `The lines of a file without line ends, read one at a time. path is one of the script's arguments, or a file in the script's folder; "-" is standard input, which can be read once. Use board(line) for the position of an EPD line, and json.decode(line) for JSON.`, makeLines)

func makeLines(c *call) (starlark.Value, error) {
	l := &textLines{positions{path: stdinName, env: taskOf(c.thread).env, thread: c.thread}}
	if err := c.unpack(&l.path); err != nil {
		return nil, err
	}
	// Report a missing file here, where the script names it.
	file, err := l.open()
	if err != nil {
		return nil, fmt.Errorf("lines: %s: %w", l.path, err)
	}
	return l, file.Close()
}

// textLines are the lines of a file, which is found like that of positions.
type textLines struct{ positions }

func (l *textLines) String() string { return fmt.Sprintf("lines(%q)", l.path) }
func (l *textLines) Type() string   { return "lines" }

// Iterate starts at the beginning of the file.
func (l *textLines) Iterate() starlark.Iterator {
	it := &lineIterator{textLines: l}
	if l.path == stdinName {
		if it.err = l.env.takeStdin(errStdinRead); it.err != nil {
			return it
		}
	}
	if it.file, it.err = l.open(); it.err == nil {
		it.in = bufio.NewReaderSize(it.file, 64<<10)
	}
	return it
}

type lineIterator struct {
	*textLines
	file io.ReadCloser
	in   *bufio.Reader
	line int
	err  error
}

// Next returns the next line. An iterator cannot return an error: an error stops the script.
func (it *lineIterator) Next(v *starlark.Value) bool {
	if it.err == nil && !it.env.stopping() {
		line, err := it.read()
		if err == nil {
			*v = starlark.String(line)
			return true
		}
		if err == io.EOF {
			return false
		}
		it.err = err
	}
	if it.err != nil {
		it.env.running.Load().cancel(fmt.Errorf("lines: %s: %w", it.path, it.err))
		it.thread.Cancel("lines")
	}
	return false
}

// read reads a line, or the rest after the last newline.
func (it *lineIterator) read() (string, error) {
	var line []byte
	it.line++
	for {
		part, err := it.in.ReadSlice('\n')
		if line = append(line, part...); len(line) > maxLine {
			return "", fmt.Errorf("line %d: longer than %d bytes", it.line, maxLine)
		}
		switch {
		case err == bufio.ErrBufferFull:
			continue
		case err != nil && (err != io.EOF || len(line) == 0):
			return "", err
		}
		if it.line == 1 {
			line = bytes.TrimPrefix(line, []byte("\ufeff"))
		}
		line = bytes.TrimSuffix(line, []byte("\n"))
		return string(bytes.TrimSuffix(line, []byte("\r"))), nil
	}
}

// Done closes the file.
func (it *lineIterator) Done() {
	if it.file != nil {
		_ = it.file.Close() // it was only read
	}
}
