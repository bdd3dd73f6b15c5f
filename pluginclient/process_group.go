//go:build unix && !linux

package pluginclient

import (
	"os/exec"
	"sync"
	"syscall"
)

// group is a process group, whose ID is that of its first process. A process that has left the
// group by setsid is not found and not ended.
type group struct {
	mu   sync.Mutex
	id   int
	gone bool
	dog  *watchdog
}

func startInGroup(cmd *exec.Cmd) (*group, error) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	return &group{id: cmd.Process.Pid, dog: newWatchdog(cmd.Process.Pid)}, nil
}

// kill kills every process of the group. It ignores errors: the group may already have ended.
func (g *group) kill() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !g.gone {
		_ = syscall.Kill(-g.id, syscall.SIGKILL)
	}
}

// release ends what the first process has left behind. Later kills do nothing, because
// the group's number may belong to another process by then.
func (g *group) release() {
	g.kill()
	g.dog.dismiss()
	g.mu.Lock()
	defer g.mu.Unlock()
	g.gone = true
}
