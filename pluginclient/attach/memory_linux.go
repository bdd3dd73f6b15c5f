package attach

import "syscall"

// machineMemory is how much memory the machine has, in bytes; 0 if it does not say.
func machineMemory() uint64 {
	var info syscall.Sysinfo_t
	if err := syscall.Sysinfo(&info); err != nil {
		return 0
	}
	return uint64(info.Totalram) * uint64(max(1, info.Unit))
}
