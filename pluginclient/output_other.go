//go:build !unix

package pluginclient

import "syscall"

// nonblocking returns nil: nonblocking reads and writes are not supported.
func nonblocking(any) syscall.RawConn { return nil }

func writeSome(syscall.RawConn, string) int { return 0 }

func (o *output) readPipe() error { panic("not reached") }

// catchUp is a no-op: only the reading goroutine knows what has arrived.
func (o *output) catchUp() (end error) { return nil }
