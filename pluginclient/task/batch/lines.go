package batch

import (
	"bufio"
	"bytes"
	"cmp"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"qhsh/engine"
	"qhsh/engine/record"
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

// Skip skips a position without parsing it. It returns io.EOF if there is none.
func (l *Lines) Skip() error { return l.in.nextFull() }

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
			next, err := c.open[0]()
			if err != nil {
				return Item{}, err
			}
			c.current, c.open = next, c.open[1:]
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

// MaxLine is the longest line in bytes that is read. A longer one is an error; reading continues
// with the next line.
const MaxLine = record.MaxLine

var (
	errTooLong = fmt.Errorf("the line is longer than %d bytes", MaxLine)
	errValues  = fmt.Errorf("the line has more than %d values", record.MaxValues)
)

// A LineReader reads lines of any length and keeps at most MaxLine bytes of each. It accepts UTF-16, a
// byte order mark, CRLF, and a CR alone as the end of a line.
type LineReader struct {
	Line    int    // the number of the latest line, from 1
	Text    []byte // the latest line without its end; valid up to the next call
	LineErr error  // the latest line is too long or has too many values

	in *bufio.Reader
}

// lineFeeds reads a text with line feeds as the only line ends.
type lineFeeds struct {
	in      io.Reader
	afterCR bool // the last byte was a CR, so a line feed belongs to it
}

func (f *lineFeeds) Read(p []byte) (n int, err error) {
	for n == 0 && err == nil && len(p) > 0 { // a line feed that is left out is no reason to return nothing
		var read int
		read, err = f.in.Read(p)
		for _, c := range p[:read] {
			after := f.afterCR
			f.afterCR = c == '\r'
			if after && c == '\n' {
				continue
			}
			if c == '\r' {
				c = '\n'
			}
			p[n] = c
			n++
		}
	}
	return n, err
}

// NewLineReader returns a reader of r's lines. It buffers.
func NewLineReader(r io.Reader) *LineReader {
	return &LineReader{in: bufio.NewReaderSize(r, 64<<10)}
}

// Next reads the next line. It returns io.EOF after the last one.
func (l *LineReader) Next() error {
	if l.Line == 0 {
		l.in = bufio.NewReaderSize(&lineFeeds{in: record.FromUTF16(l.in)}, 64<<10)
	}
	l.Text, l.LineErr = l.Text[:0], nil
	for {
		part, err := l.in.ReadSlice('\n')
		if room := max(MaxLine-len(l.Text), 0); len(bytes.TrimRight(part, "\n")) > room {
			part, l.LineErr = part[:room], errTooLong
		}
		l.Text = append(l.Text, part...)
		switch {
		case err == bufio.ErrBufferFull:
			continue
		case err == io.EOF && len(l.Text) > 0: // the last line has no line feed
		case err == io.EOF:
			return err
		case err != nil:
			return fmt.Errorf("line %d: %w", l.Line+1, err)
		}
		break
	}
	l.Line++
	if l.Line == 1 {
		l.Text = bytes.TrimPrefix(l.Text, []byte("\ufeff"))
	}
	l.Text = bytes.TrimRight(l.Text, "\n")
	if len(l.Text) > record.MaxValues && bytes.Count(l.Text, []byte(",")) > record.MaxValues {
		l.LineErr = cmp.Or(l.LineErr, errValues)
	}
	return nil
}

// nextFull reads the next line that is neither blank nor a comment (#). Its Text is trimmed.
func (l *LineReader) nextFull() error {
	for {
		if err := l.Next(); err != nil {
			return err
		}
		if l.Text = bytes.TrimSpace(l.Text); len(l.Text) > 0 && l.Text[0] != '#' {
			return nil
		}
	}
}

// Excerpt returns the beginning of a line, at most MaxExcerpt bytes of valid UTF-8.
func Excerpt(line string) string {
	line = strings.TrimSpace(line)
	if len(line) > MaxExcerpt {
		end := MaxExcerpt
		for end > MaxExcerpt-utf8.UTFMax && !utf8.RuneStart(line[end]) {
			end--
		}
		line = line[:end]
	}
	return strings.ToValidUTF8(line, "\ufffd")
}
