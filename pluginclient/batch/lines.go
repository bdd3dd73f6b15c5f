package batch

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"qhsh/engine"
)

// MaxLine is the length in bytes of the longest line that is read. A longer one is
// an error of its own, and reading goes on behind it.
const MaxLine = 1 << 20

var (
	errTooLong = fmt.Errorf("the line is longer than %d bytes", MaxLine)
	errUTF16   = errors.New("the text is UTF-16: save it as UTF-8")
)

// Lines is a Source with a position on each line, as [Parse] reads it. Blank lines and
// lines that begin with # are passed over, but counted. A UTF-8 byte order mark and
// CRLF are accepted.
type Lines struct {
	game engine.Game
	file string
	in   *scanner
}

// NewLines reads positions of a game. The name of the file goes into every Item; leave
// it empty where there is only one input.
func NewLines(game engine.Game, file string, r io.Reader) *Lines {
	return &Lines{game: game, file: file, in: newScanner(r)}
}

// Next is the next position.
func (l *Lines) Next() (Item, error) {
	if err := l.in.next(); err != nil {
		return Item{}, err
	}
	if err := l.in.bad; err != nil {
		return Item{File: l.file, Line: l.in.line, Input: excerpt(string(l.in.text)), Err: err}, nil
	}
	item := Parse(l.game, string(l.in.text))
	item.File, item.Line = l.file, l.in.line
	return item, nil
}

// Count is the number of Items that [Lines] makes of a stream.
func Count(r io.Reader) (int, error) {
	in := newScanner(r)
	for n := 0; ; n++ {
		if err := in.next(); err != nil {
			if err == io.EOF {
				err = nil
			}
			return n, err
		}
	}
}

// scanner finds the lines that are to be positions.
type scanner struct {
	in   *bufio.Reader
	line int    // the number of the latest line
	text []byte // the latest line, trimmed; valid up to the next call
	bad  error  // why the latest line is none
	over bool   // there is no sense in reading on
}

func newScanner(r io.Reader) *scanner { return &scanner{in: bufio.NewReaderSize(r, 64<<10)} }

// next goes to the next line that is neither blank nor a comment.
func (s *scanner) next() error {
	for !s.over {
		if err := s.read(); err != nil {
			return err
		}
		if len(s.text) > 0 && s.text[0] != '#' {
			return nil
		}
	}
	return io.EOF
}

// read reads a line, of which it keeps no more than MaxLine bytes.
func (s *scanner) read() error {
	s.text, s.bad = s.text[:0], nil
	for {
		part, err := s.in.ReadSlice('\n')
		s.keep(part)
		switch {
		case err == bufio.ErrBufferFull:
			continue
		case err == io.EOF && len(s.text) > 0: // the last line has no line feed
		case err != nil:
			return err
		}
		break
	}
	s.line++
	if s.line == 1 {
		s.openingMark()
	}
	s.text = bytes.TrimSpace(s.text)
	return nil
}

func (s *scanner) keep(part []byte) {
	if room := max(MaxLine-len(s.text), 0); len(bytes.TrimRight(part, "\r\n")) > room {
		part, s.bad = part[:room], errTooLong
	}
	s.text = append(s.text, part...)
}

// openingMark passes over a byte order mark.
func (s *scanner) openingMark() {
	s.text = bytes.TrimPrefix(s.text, []byte("\ufeff"))
	if bytes.HasPrefix(s.text, []byte("\xff\xfe")) || bytes.HasPrefix(s.text, []byte("\xfe\xff")) {
		s.bad, s.over = errUTF16, true
	}
}

// excerpt is the beginning of a line, in valid UTF-8.
func excerpt(line string) string {
	line = strings.TrimSpace(line)
	if len(line) > MaxInput {
		end := MaxInput
		for end > MaxInput-utf8.UTFMax && !utf8.RuneStart(line[end]) {
			end--
		}
		line = line[:end]
	}
	return strings.ToValidUTF8(line, "\ufffd")
}

// Concat is the sources one behind the other. Each is opened when its turn comes, and
// closed when it has ended if it is an io.Closer.
func Concat(open ...func() (Source, error)) Source { return &concat{open: open} }

type concat struct {
	open []func() (Source, error)
	now  Source
}

// Next is the next position of the first source that has one.
func (c *concat) Next() (Item, error) {
	for {
		if c.now == nil {
			if len(c.open) == 0 {
				return Item{}, io.EOF
			}
			src, err := c.open[0]()
			if err != nil {
				return Item{}, err
			}
			c.now, c.open = src, c.open[1:]
		}
		item, err := c.now.Next()
		if err != io.EOF {
			return item, err
		}
		if err := c.Close(); err != nil {
			return Item{}, err
		}
	}
}

// Close closes the source that is open.
func (c *concat) Close() error {
	closer, ok := c.now.(io.Closer)
	c.now = nil
	if !ok {
		return nil
	}
	return closer.Close()
}
