package attach

import (
	"testing"
	"testing/fstest"
)

// TestGroupLimit: the lowest limit of a process's control groups counts, in both versions.
func TestGroupLimit(t *testing.T) {
	for _, c := range []struct {
		name  string
		files map[string]string // of /
		want  uint64
	}{
		{"no groups", nil, 0},
		{"version 2", map[string]string{
			"proc/self/cgroup":                       "0::/user.slice/run-7.scope\n",
			"sys/fs/cgroup/user.slice/memory.max":    "4294967296\n",
			"sys/fs/cgroup/other.slice/memory.max":   "4096\n",
			"sys/fs/cgroup/user.slice/cpu.max":       "100000 100000\n",
			"sys/fs/cgroup/user.slice/memory.high":   "1024\n",
			"sys/fs/cgroup/run-7.scope/memory.max":   "512\n",
			"sys/fs/cgroup/user.slice/run-7.scope/x": "1\n",
		}, 4 << 30},
		{"version 2, the lowest of two", map[string]string{
			"proc/self/cgroup":           "0::/a/b\n",
			"sys/fs/cgroup/a/memory.max": "8589934592\n", "sys/fs/cgroup/a/b/memory.max": "1073741824\n",
		}, 1 << 30},
		{"version 2, unlimited", map[string]string{
			"proc/self/cgroup": "0::/a\n", "sys/fs/cgroup/a/memory.max": "max\n",
		}, 0},
		{"a container with a tree of its own", map[string]string{
			"proc/self/cgroup": "0::/../../docker/77\n", "sys/fs/cgroup/memory.max": "536870912\n",
		}, 512 << 20},
		{"version 1", map[string]string{
			"proc/self/cgroup":                                     "11:cpu,cpuacct:/docker/77\n5:memory:/docker/77\n1:name=systemd:/docker/77\n0::/docker/77\n",
			"sys/fs/cgroup/memory/memory.limit_in_bytes":           "9223372036854771712\n",
			"sys/fs/cgroup/memory/docker/77/memory.limit_in_bytes": "2147483648\n",
		}, 2 << 30},
	} {
		root := fstest.MapFS{}
		for name, text := range c.files {
			root[name] = &fstest.MapFile{Data: []byte(text)}
		}
		if got := cgroupLimit(root); got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
}
