package attach

import (
	"unsafe"

	"golang.org/x/sys/windows"
)

// memoryStatus is MEMORYSTATUSEX of sysinfoapi.h.
type memoryStatus struct {
	length, load uint32
	total        uint64 // physical memory in bytes
	_            [6]uint64
}

var globalMemoryStatus = windows.NewLazySystemDLL("kernel32.dll").NewProc("GlobalMemoryStatusEx")

// machineMemory is how much memory the machine has, in bytes; 0 if it does not say.
func machineMemory() uint64 {
	status := memoryStatus{length: uint32(unsafe.Sizeof(memoryStatus{}))}
	if done, _, _ := globalMemoryStatus.Call(uintptr(unsafe.Pointer(&status))); done == 0 {
		return 0
	}
	return status.total
}
