//go:build !unix

package pluginclient

import (
	"io"
	"syscall"
)

// pollable is nil: no stream can be read without waiting.
func pollable(io.Reader) syscall.RawConn { return nil }

// writable is nil: no stream can be written to without waiting.
func writable(io.Writer) syscall.RawConn { return nil }

func written(syscall.RawConn, string) int { return 0 }

func (o *output) readPipe() error { panic("not reached") }

// catchUp is a no-op: only the goroutine that reads can tell what has arrived.
func (o *output) catchUp() (end error) { return nil }
