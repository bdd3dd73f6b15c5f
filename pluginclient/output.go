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

// output continuously reads an engine's output as lines, so that the engine never blocks on a full
// pipe.
type output struct {
	stream io.Reader
	pipe   syscall.RawConn // of the stream; nil if it does not support nonblocking reads

	mu    sync.Mutex // held from reading bytes until their lines are delivered
	lines lineScanner
	buf   []byte
	err   error // why the output has ended
}

func newOutput(stream io.Reader, lines lineScanner) *output {
	return &output{stream: stream, pipe: nonblocking(stream), lines: lines, buf: make([]byte, 32<<10)}
}

// read reads to the end and returns the error that ended it.
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

// add delivers the lines of a read, and returns the error that ended the output, if any.
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

// ended returns the error that ended the output, or nil.
func (o *output) ended() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.err
}

// A lineScanner splits input into lines, without their line endings.
type lineScanner struct {
	maxLine   int                     // in bytes; a longer line is ErrFlood
	onLine    func(line string) error // called with every line; an error ends the scan
	onPartial func(rest string)       // called after each read with the unfinished line; nil: the last line may lack a line feed
	onReturn  func()                  // called for every line that ends with a carriage return; may be nil
	rest      []byte
}

// feed processes the result of a read: the bytes p and the error err. It returns the error that
// ends the scan, which is err if there is no other.
func (s *lineScanner) feed(p []byte, err error) error {
	s.rest = append(s.rest, p...)
	for {
		i := bytes.IndexByte(s.rest, '\n')
		if i < 0 {
			break
		}
		line := string(s.rest[:i])
		if strings.HasSuffix(line, "\r") {
			line = strings.TrimRight(line, "\r")
			if s.onReturn != nil {
				s.onReturn()
			}
		}
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
