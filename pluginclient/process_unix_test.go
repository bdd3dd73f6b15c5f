//go:build unix

package pluginclient

import (
	"bufio"
	"os"
	"os/exec"
	"syscall"
	"testing"
)

// TestOwnGroup: an engine is the first of a process group of its own, so an interrupt
// on the terminal does not reach it.
func TestOwnGroup(t *testing.T) {
	cmd := program(t, "echo")
	process := exec.Command(cmd.Path)
	process.Env = cmd.Env
	streams, err := startGroup(process)
	if err != nil {
		t.Fatal(err)
	}
	defer closeAllStreams(streams)
	group, err := syscall.Getpgid(process.Process.Pid)
	if err != nil {
		t.Fatal(err)
	}
	if own := syscall.Getpgrp(); group != process.Process.Pid || group == own {
		t.Errorf("process %d is of group %d, this one of group %d", process.Process.Pid, group, own)
	}
	if err := syscall.Kill(os.Getpid(), 0); err != nil {
		t.Error(err)
	}
	if _, err := streams.Stdin.Write([]byte("still there\n")); err != nil {
		t.Error(err)
	}
	if line, err := bufio.NewReader(streams.Stdout).ReadString('\n'); line != "got still there\n" {
		t.Errorf("%q, %v", line, err)
	}
}

// TestGroupEndsWithItsHost: when a host is killed, so are its engine and what that has
// started.
func TestGroupEndsWithItsHost(t *testing.T) {
	cmd := program(t, "host")
	w := watch(t, &cmd)
	host := exec.Command(cmd.Path)
	host.Env = cmd.Env
	if err := host.Start(); err != nil {
		t.Fatal(err)
	}
	w.born(3)
	if err := host.Process.Kill(); err != nil {
		t.Error(err)
	}
	_ = host.Wait()
	w.gone()
}
