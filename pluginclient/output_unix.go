//go:build unix

package pluginclient

import (
	"errors"
	"io"
	"syscall"
	"time"
)

// nonblockingWriter is a stream of the operating system that can be written to without waiting; nil if it is
// none.
func nonblockingWriter(stream io.Writer) syscall.RawConn {
	file, ok := stream.(interface {
		syscall.Conn
		SetWriteDeadline(t time.Time) error
	})
	if !ok || file.SetWriteDeadline(time.Time{}) != nil {
		return nil // a write would block
	}
	pipe, err := file.SyscallConn()
	if err != nil {
		return nil
	}
	return pipe
}

// writeSome writes as much as a pipe takes at once, and returns how much that is.
func writeSome(pipe syscall.RawConn, text string) (n int) {
	if pipe == nil {
		return 0
	}
	_ = pipe.Control(func(fd uintptr) { // the next write meets any error again
		n, _ = writeNonblocking(fd, []byte(text))
	})
	return n
}

// nonblockingReader is a stream of the operating system that can be read without waiting; nil if it is
// none.
func nonblockingReader(stream io.Reader) syscall.RawConn {
	file, ok := stream.(interface {
		syscall.Conn
		SetReadDeadline(t time.Time) error
	})
	if !ok || file.SetReadDeadline(time.Time{}) != nil {
		return nil // a read would block
	}
	pipe, err := file.SyscallConn()
	if err != nil {
		return nil
	}
	return pipe
}

func (o *output) readPipe() error {
	var end error
	read := func(fd uintptr) (some bool) {
		some, end = o.take(fd)
		return some
	}
	for {
		err := o.pipe.Read(read)
		switch {
		case end != nil:
			return end
		case err != nil: // the pipe has been closed on this side
			return o.add(0, err)
		}
	}
}

// take reads once, and returns the end. It reports whether there was something to read, if only
// the end.
func (o *output) take(fd uintptr) (some bool, end error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.err != nil {
		return true, o.err
	}
	n, err := readNonblocking(fd, o.buf)
	switch {
	case errors.Is(err, syscall.EAGAIN):
		return false, nil
	case errors.Is(err, syscall.EINTR):
		return true, nil
	case n <= 0 && err == nil:
		err = io.EOF
	}
	return true, o.addLocked(max(n, 0), err)
}

// catchUp reads what has arrived by now, and returns the end. The goroutine that reads may not
// have run since it arrived: this process may have been stopped.
func (o *output) catchUp() (end error) {
	if o.pipe == nil {
		return nil
	}
	_ = o.pipe.Control(func(fd uintptr) { // a pipe that is closed has nothing more to say
		for some := true; some && end == nil; {
			some, end = o.take(fd)
		}
	})
	return end
}
