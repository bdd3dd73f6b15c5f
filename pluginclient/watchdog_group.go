//go:build unix && !linux

package pluginclient

import (
	"os"
	"os/exec"
	"strconv"
	"syscall"
)

// A watchdog is a shell that kills a process group when this process ends. It is needed if this
// process is killed: children of an engine may notice neither the exit of their parent nor the end
// of their input, and would run forever.
//
// It waits for the end of a pipe whose other end only this process holds. It has its own process
// group and ignores the signals of terminals and service managers, so that it outlives this process.
//
// It kills only the group. A process that has left the group, for example by setsid, keeps running
// and may hold the engine's pipes open; only the supervisor on Linux finds such processes.
type watchdog struct {
	shell *exec.Cmd
	line  *os.File
}

const watchdogScript = `trap "" HUP INT QUIT TERM; read -r line; kill -s KILL -- "-$0"`

// newWatchdog starts a watchdog for a group. It returns nil if there is no shell.
func newWatchdog(group int) *watchdog {
	theirs, line, err := os.Pipe()
	if err != nil {
		return nil
	}
	defer theirs.Close()
	shell := exec.Command("/bin/sh", "-c", watchdogScript, strconv.Itoa(group))
	shell.Dir, shell.Env, shell.Stdin = "/", []string{}, theirs
	shell.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := shell.Start(); err != nil {
		line.Close()
		return nil
	}
	return &watchdog{shell, line}
}

// dismiss ends a watchdog, before its group ID may be reused.
func (w *watchdog) dismiss() {
	if w == nil {
		return
	}
	_ = w.shell.Process.Kill()
	_ = w.shell.Wait()
	w.line.Close()
}
