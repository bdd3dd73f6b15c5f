//go:build !linux && !darwin && !windows

package attach

// machineMemory is not known here.
func machineMemory() uint64 { return 0 }
