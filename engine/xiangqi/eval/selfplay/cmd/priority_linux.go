package main

import (
	"os"
	"strconv"
	"syscall"
)

// lowerPriority gives way to all other work. On Linux each thread has a priority of its own,
// which those that it starts inherit.
func lowerPriority() {
	const lowest = 19
	threads, _ := os.ReadDir("/proc/self/task") // without it, nice does it
	for _, t := range threads {
		if id, err := strconv.Atoi(t.Name()); err == nil {
			_ = syscall.Setpriority(syscall.PRIO_PROCESS, id, lowest)
		}
	}
}
