package pluginclient

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"syscall"
)

// output reads what an engine says, all the time and as lines, so that the engine never blocks
// on a full pipe.
type output struct {
	stream io.Reader
	pipe   syscall.RawConn // of the stream; nil if it cannot be read without waiting

	mu    sync.Mutex // held from the reading of bytes until their lines are handed on
	lines lineScanner
	buf   []byte
	err   error // the end
}

func newOutput(stream io.Reader, lines lineScanner) *output {
	return &output{stream: stream, pipe: nonblockingReader(stream), lines: lines, buf: make([]byte, 32<<10)}
}

// read reads to the end, and returns why there is no more.
func (o *output) read() error {
	if o.pipe != nil {
		return o.readPipe()
	}
	for {
		n, err := o.stream.Read(o.buf)
		if err := o.add(n, err); err != nil {
			return err
		}
	}
}

// add hands on what a read has brought, and returns the end.
func (o *output) add(n int, err error) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.addLocked(n, err)
}

func (o *output) addLocked(n int, err error) error {
	if o.err == nil {
		o.err = o.lines.feed(o.buf[:n], err)
	}
	return o.err
}

// A lineScanner cuts what is read into lines without their line ends.
type lineScanner struct {
	maxLine   int                     // bytes of a line; a longer one is ErrFlood
	onLine    func(line string) error // told of every line; its error ends the scanning
	onPartial func(rest string)       // told of what has come of an unfinished line; nil: a last line without a line feed counts
	rest      []byte
}

// feed takes what a read has brought, and returns the error that ends the scanning: err, that
// of the read, if there is no other.
func (s *lineScanner) feed(p []byte, err error) error {
	s.rest = append(s.rest, p...)
	for {
		i := bytes.IndexByte(s.rest, '\n')
		if i < 0 {
			break
		}
		line := strings.TrimRight(string(s.rest[:i]), "\r")
		s.rest = s.rest[i+1:]
		if err := s.onLine(line); err != nil {
			return err
		}
	}
	if len(s.rest) > s.maxLine {
		return fmt.Errorf("%w: a line of over %d bytes", ErrFlood, s.maxLine)
	}
	if s.onPartial != nil {
		s.onPartial(string(s.rest))
		return err
	}
	if err != nil && len(s.rest) > 0 {
		return errors.Join(s.onLine(string(s.rest)), err)
	}
	return err
}
