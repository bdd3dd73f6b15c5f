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

// machineMemory is how much memory the machine has, or lets this process have, in bytes; 0 if
// it does not say.
func machineMemory() uint64 {
	var info syscall.Sysinfo_t
	if err := syscall.Sysinfo(&info); err != nil {
		return 0
	}
	return lesser(uint64(info.Totalram)*uint64(max(1, info.Unit)), groupLimit(os.DirFS("/")))
}

// groupLimit is the lowest limit on memory of the control groups that this process is in, in
// bytes; 0: there is none. Those of version 2 stand in one tree, those of version 1 in a tree
// for each resource. In a container the tree's top may be the container's own group, though
// /proc tells its path on the host: what is not there is passed over.
func groupLimit(root fs.FS) (least uint64) {
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
			least = lesser(least, limitIn(root, path.Join(dir, file)))
			if dir == top {
				break
			}
		}
	}
	return least
}

// limitIn is the number in a file; 0 if there is none, as in "max".
func limitIn(root fs.FS, name string) uint64 {
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

// lesser is the lesser of two limits, of which 0 is none.
func lesser(a, b uint64) uint64 {
	if a == 0 || b == 0 {
		return a + b
	}
	return min(a, b)
}
