//go:build unix

package pluginclient

import (
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"testing"
)

// TestOwnGroup: an engine leads a process group of its own, so an interrupt on the terminal does
// not reach it.
func TestOwnGroup(t *testing.T) {
	streams, err := program(t, "group").Start(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer closeAllStreams(streams)
	var process, group int
	if line := readLine(t, streams); !parsed(line, &process, &group) {
		t.Fatalf("it says %q", line)
	}
	if own := syscall.Getpgrp(); group != process || group == own {
		t.Errorf("process %d is of group %d, this one of group %d", process, group, own)
	}
}

func parsed(line string, numbers ...any) bool {
	_, err := fmt.Sscan(line, numbers...)
	return err == nil
}

func init() {
	systemRoles["group"] = func() { fmt.Println(os.Getpid(), syscall.Getpgrp()) }
}

// TestGroupEndsWithItsHost: when a host is killed, its engine and the engine's child processes end.
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
