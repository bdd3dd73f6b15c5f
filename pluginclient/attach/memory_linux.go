package attach

import (
	"io/fs"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"syscall"
)

// machineMemory returns the memory that this process may use, in bytes, or 0 if unknown.
func machineMemory() uint64 {
	var info syscall.Sysinfo_t
	if err := syscall.Sysinfo(&info); err != nil {
		return 0
	}
	return minLimit(uint64(info.Totalram)*uint64(max(1, info.Unit)), cgroupLimit(os.DirFS("/")))
}

// cgroupLimit returns the lowest memory limit of this process's control groups in bytes, or 0 if there
// is none. Version 2 has one tree; version 1 has a tree for each resource. In a container the root of
// the tree may be the container's own group while /proc shows the path on the host, so missing files
// are ignored.
func cgroupLimit(root fs.FS) (least uint64) {
	text, err := fs.ReadFile(root, "proc/self/cgroup")
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(text)) {
		fields := strings.SplitN(strings.TrimSpace(line), ":", 3) // number, resources, path
		if len(fields) < 3 {
			continue
		}
		top, file := "sys/fs/cgroup", "memory.max"
		if fields[1] != "" {
			top, file = "sys/fs/cgroup/memory", "memory.limit_in_bytes"
			if !slices.Contains(strings.Split(fields[1], ","), "memory") {
				continue
			}
		}
		for dir := path.Join(top, path.Clean("/"+fields[2])); ; dir = path.Dir(dir) {
			least = minLimit(least, readLimit(root, path.Join(dir, file)))
			if dir == top {
				break
			}
		}
	}
	return least
}

// readLimit returns the number in a file, or 0 if there is none, as in "max".
func readLimit(root fs.FS, name string) uint64 {
	text, err := fs.ReadFile(root, name)
	if err != nil {
		return 0
	}
	n, err := strconv.ParseUint(strings.TrimSpace(string(text)), 10, 64)
	if err != nil {
		return 0
	}
	return n
}

// minLimit returns the lower of two limits, where 0 means no limit.
func minLimit(a, b uint64) uint64 {
	if a == 0 || b == 0 {
		return a + b
	}
	return min(a, b)
}
