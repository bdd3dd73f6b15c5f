package pluginclient

import (
	"syscall"
	"unsafe"
)

// readNonblocking and writeNonblocking are raw system calls on a nonblocking pipe. They bypass the
// runtime's entersyscall, which wakes the sysmon thread: for an engine that replies within a
// millisecond that would cost as much as the exchange itself.

func readNonblocking(fd uintptr, p []byte) (n int, err error) {
	return rawPipeCall(syscall.SYS_READ, fd, p)
}

func writeNonblocking(fd uintptr, p []byte) (n int, err error) {
	return rawPipeCall(syscall.SYS_WRITE, fd, p)
}

func rawPipeCall(call, fd uintptr, p []byte) (n int, err error) {
	done, _, errno := syscall.RawSyscall(call, fd, uintptr(unsafe.Pointer(unsafe.SliceData(p))), uintptr(len(p)))
	if errno != 0 {
		return 0, errno
	}
	return int(done), nil
}
