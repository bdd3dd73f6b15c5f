package pluginclient

import "syscall"

// processAttributes put a process into a group of its own, and let the system end it
// when this process is killed: some engines never notice the end of their input.
func processAttributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
