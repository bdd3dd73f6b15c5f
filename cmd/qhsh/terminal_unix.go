//go:build unix

package main

import (
	"os"
	"os/signal"
	"syscall"
	"time"
)

// resized returns a channel that receives changes of the terminal's size.
func resized() <-chan os.Signal {
	c := make(chan os.Signal, 1)
	signal.Notify(c, syscall.SIGWINCH)
	return c
}

// suspend stops the process group, as Ctrl-Z does, and returns when it is continued. It waits only
// for a limited time, since the system does not stop a group that nobody could continue.
func suspend() {
	const most = 500 * time.Millisecond
	continued := make(chan os.Signal, 1)
	signal.Notify(continued, syscall.SIGCONT)
	defer signal.Stop(continued)
	_ = syscall.Kill(0, syscall.SIGTSTP)
	select {
	case <-continued:
	case <-time.After(most):
	}
}
