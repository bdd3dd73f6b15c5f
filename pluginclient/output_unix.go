//go:build unix

package pluginclient

import (
	"errors"
	"io"
	"syscall"
	"time"
)

// nonblocking returns the raw connection of a stream that supports nonblocking reads and writes, or nil.
func nonblocking(stream any) syscall.RawConn {
	file, ok := stream.(interface {
		syscall.Conn
		SetDeadline(t time.Time) error
	})
	if !ok || file.SetDeadline(time.Time{}) != nil {
		return nil // it would block
	}
	pipe, err := file.SyscallConn()
	if err != nil {
		return nil
	}
	return pipe
}

// writeSome writes as many bytes as fit into the pipe without blocking, and returns their number.
func writeSome(pipe syscall.RawConn, text string) (n int) {
	if pipe == nil {
		return 0
	}
	_ = pipe.Control(func(fd uintptr) { // the next write meets any error again
		n, _ = syscall.Write(int(fd), []byte(text))
		n = max(n, 0)
	})
	return n
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

// take reads once. It reports whether there was anything to read, and returns the error that ended
// the output, if any.
func (o *output) take(fd uintptr) (some bool, end error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.err != nil {
		return true, o.err
	}
	n, err := syscall.Read(int(fd), o.buf)
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

// catchUp reads all output that has arrived by now, and returns the error that ended it, if any. The
// reading goroutine may not have run yet, for example because this process was suspended.
func (o *output) catchUp() (end error) {
	if o.pipe == nil {
		return nil
	}
	_ = o.pipe.Control(func(fd uintptr) { // fails only if the pipe is closed
		for some := true; some && end == nil; {
			some, end = o.take(fd)
		}
	})
	return end
}
