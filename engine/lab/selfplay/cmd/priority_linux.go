package main

import (
	"os"
	"strconv"
	"syscall"
)

// lowerPriority sets the lowest priority. On Linux each thread has its own, which new threads
// inherit.
func lowerPriority() {
	const lowest = 19
	threads, _ := os.ReadDir("/proc/self/task") // if this fails, use nice
	for _, t := range threads {
		if id, err := strconv.Atoi(t.Name()); err == nil {
			_ = syscall.Setpriority(syscall.PRIO_PROCESS, id, lowest)
		}
	}
}
