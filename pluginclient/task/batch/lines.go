package batch

import (
	"io"

	"qhsh/engine"
)

// Lines is a Source with a position per line, as [Parse] reads it. Blank lines and lines that start
// with # are skipped but counted.
type Lines struct {
	parse func(line string) Item
	file  string
	in    *LineReader
}

// NewLines returns a Source of positions of a game. file is copied to every Item; leave it empty if
// there is only one input.
func NewLines(game engine.Game, file string, r io.Reader) *Lines {
	return NewLinesOf(file, r, func(line string) Item { return Parse(game, line) })
}

// NewLinesOf is like NewLines with another line parser. parse need not set File and Line.
func NewLinesOf(file string, r io.Reader, parse func(line string) Item) *Lines {
	return &Lines{parse: parse, file: file, in: NewLineReader(r)}
}

// Next returns the next position.
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

// Skip skips n positions without parsing them. It returns io.EOF if there were fewer.
func (l *Lines) Skip(n int) (passed int, err error) { return l.in.Skip(n) }

// A Skipper is a Source that can skip positions without parsing them.
type Skipper interface {
	// Skip skips n positions. It returns io.EOF if there were fewer.
	Skip(n int) (passed int, err error)
}

// Concat returns a Source that reads several sources in order. Each is opened when it is needed
// and, if it is an io.Closer, closed at its end.
func Concat(open ...func() (Source, error)) Source { return &concat{open: open} }

type concat struct {
	open    []func() (Source, error)
	current Source
}

// Next returns the next position.
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

// Close closes the current source.
func (c *concat) Close() error {
	closer, ok := c.current.(io.Closer)
	c.current = nil
	if !ok {
		return nil
	}
	return closer.Close()
}
