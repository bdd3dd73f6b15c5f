package attach

import "golang.org/x/sys/unix"

// machineMemory is how much memory the machine has, in bytes; 0 if it does not say.
func machineMemory() uint64 {
	size, _ := unix.SysctlUint64("hw.memsize")
	return size
}
