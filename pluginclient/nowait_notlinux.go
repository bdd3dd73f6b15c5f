//go:build unix && !linux

package pluginclient

import "syscall"

func readNow(fd uintptr, p []byte) (n int, err error) { return syscall.Read(int(fd), p) }

func writeNow(fd uintptr, p []byte) (n int, err error) { return syscall.Write(int(fd), p) }
