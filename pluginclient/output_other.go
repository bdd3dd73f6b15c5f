//go:build !unix

package pluginclient

import (
	"io"
	"syscall"
)

// nonblockingReader returns nil: nonblocking reads are not supported.
func nonblockingReader(io.Reader) syscall.RawConn { return nil }

// nonblockingWriter returns nil: nonblocking writes are not supported.
func nonblockingWriter(io.Writer) syscall.RawConn { return nil }

func writeSome(syscall.RawConn, string) int { return 0 }

func (o *output) readPipe() error { panic("not reached") }

// catchUp is a no-op: only the reading goroutine knows what has arrived.
func (o *output) catchUp() (end error) { return nil }
