package batch

import (
	"io"

	"qhsh/engine"
)

// Lines is a Source with a position on each line, as [Parse] reads it. Blank lines and
// lines that begin with # are passed over, but counted.
type Lines struct {
	parse func(line string) Item
	file  string
	in    *LineReader
}

// NewLines reads positions of a game. The name of the file goes into every Item; leave
// it empty where there is only one input.
func NewLines(game engine.Game, file string, r io.Reader) *Lines {
	return NewLinesOf(file, r, func(line string) Item { return Parse(game, line) })
}

// NewLinesOf reads positions that stand on their lines in another way. Parse need not set
// File and Line.
func NewLinesOf(file string, r io.Reader, parse func(line string) Item) *Lines {
	return &Lines{parse: parse, file: file, in: NewLineReader(r)}
}

// Next is the next position.
func (l *Lines) Next() (Item, error) {
	if err := l.in.nextFull(); err != nil {
		return Item{}, err
	}
	if err := l.in.LineErr; err != nil {
		return Item{File: l.file, Line: l.in.Line, Input: Excerpt(string(l.in.Text)), Err: err}, nil
	}
	item := l.parse(string(l.in.Text))
	item.File, item.Line = l.file, l.in.Line
	return item, nil
}

// Skip passes over n positions without reading them. The error is io.EOF if there were
// fewer.
func (l *Lines) Skip(n int) (passed int, err error) { return l.in.Skip(n) }

// A Skipper is a Source that can pass over positions without reading them.
type Skipper interface {
	// Skip passes over n positions. The error is io.EOF if there were fewer.
	Skip(n int) (passed int, err error)
}

// Concat is the sources one behind the other. Each is opened when its turn comes, and
// closed when it has ended if it is an io.Closer.
func Concat(open ...func() (Source, error)) Source { return &concat{open: open} }

type concat struct {
	open    []func() (Source, error)
	current Source
}

// Next is the next position of the first source that has one.
func (c *concat) Next() (item Item, err error) {
	for {
		if c.current == nil {
			if len(c.open) == 0 {
				return Item{}, io.EOF
			}
			if c.current, err = c.open[0](); err != nil {
				return Item{}, err
			}
			c.open = c.open[1:]
		}
		if item, err = c.current.Next(); err != io.EOF {
			return item, err
		}
		if err := c.Close(); err != nil {
			return Item{}, err
		}
	}
}

// Close closes the source that is being read.
func (c *concat) Close() error {
	closer, ok := c.current.(io.Closer)
	c.current = nil
	if !ok {
		return nil
	}
	return closer.Close()
}
