//go:build unix && !linux

package pluginclient

import "syscall"

func readNonblocking(fd uintptr, p []byte) (n int, err error) { return syscall.Read(int(fd), p) }

func writeNonblocking(fd uintptr, p []byte) (n int, err error) { return syscall.Write(int(fd), p) }
