//go:build !unix

package pluginclient

import (
	"io"
	"syscall"
)

// nonblockingReader is nil: no stream can be read without waiting.
func nonblockingReader(io.Reader) syscall.RawConn { return nil }

// nonblockingWriter is nil: no stream can be written to without waiting.
func nonblockingWriter(io.Writer) syscall.RawConn { return nil }

func writeSome(syscall.RawConn, string) int { return 0 }

func (o *output) readPipe() error { panic("not reached") }

// catchUp is a no-op: only the goroutine that reads can tell what has arrived.
func (o *output) catchUp() (end error) { return nil }
