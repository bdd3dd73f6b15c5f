package pluginclient

import (
	"syscall"
	"unsafe"
)

// readNow and writeNow are system calls on a pipe that never blocks. So the runtime need not be told
// of them: to tell it wakes its monitor, which for an engine that answers in a millisecond costs as
// much as the conversation.

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
