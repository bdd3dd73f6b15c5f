//go:build unix && !linux

package pluginclient

import "syscall"

// processAttributes put a process into a group of its own.
func processAttributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }
