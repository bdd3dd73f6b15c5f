//go:build unix && !linux

package pluginclient

import (
	"os"
	"os/exec"
	"strconv"
	"syscall"
)

// A watchdog is a shell that kills a process group when this process is no more. Nothing else
// does if this process is killed: an engine may have started others, which notice neither
// the end of their parent nor that of their input, and would run for ever.
//
// It waits for the end of a pipe whose other end only this process has. It is in a group of
// its own and deaf to what a terminal or a service manager sends to everybody, so that it
// lives longer than this process.
//
// It ends the group and no more. A process that has left it, as setsid does, goes on, and holds
// the engine's pipes as long as it likes: only Linux has a supervisor that finds it.
type watchdog struct {
	shell *exec.Cmd
	line  *os.File
}

const watchdogScript = `trap "" HUP INT QUIT TERM; read -r line; kill -s KILL -- "-$0"`

// newWatchdog sets one on a group. Where there is no shell it is nil.
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

// dismiss ends a watchdog that is not needed any more, before its group's number may belong to
// somebody else.
func (w *watchdog) dismiss() {
	if w == nil {
		return
	}
	_ = w.shell.Process.Kill()
	_ = w.shell.Wait()
	w.line.Close()
}
