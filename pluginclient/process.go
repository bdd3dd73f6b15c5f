package pluginclient

import (
	"cmp"
	"context"
	"fmt"
	"os/exec"
	"sync"
)

// A Command describes how to start an engine's process.
type Command struct {
	Path string   // the program; looked up in PATH if it has no slash, and else in Dir
	Args []string // without the program's name; passed on unchanged
	Dir  string   // working directory; empty: as [Command.Locate] says
	Env  []string // the environment as "KEY=VALUE"; nil: the one of this process
}

// Start starts the process, where [Command.Locate] says. It runs in a process group of its own, so
// that its children can be ended with it even if this process is killed. Start is a [Starter].
func (c Command) Start(ctx context.Context) (*Streams, error) {
	if err := context.Cause(ctx); err != nil {
		return nil, err
	}
	path, dir, err := c.Locate()
	if err != nil {
		return nil, fmt.Errorf("%s: %w: %w", c.Path, ErrStart, err)
	}
	cmd := exec.Command(path, c.Args...)
	cmd.Dir, cmd.Env = dir, c.Env
	streams, err := startGroup(cmd)
	if err != nil {
		return nil, fmt.Errorf("%s: %w: %w", c.Path, ErrStart, err)
	}
	return streams, nil
}

// startGroup starts cmd with three pipes. They are files, so that closing them interrupts a read
// or write even if a grandchild process holds the other end.
func startGroup(cmd *exec.Cmd) (*Streams, error) {
	in, errIn := cmd.StdinPipe()
	out, errOut := cmd.StdoutPipe()
	errs, errErrs := cmd.StderrPipe()
	if err := cmp.Or(errIn, errOut, errErrs); err != nil {
		return nil, err
	}
	group, err := startInGroup(cmd)
	if err != nil {
		return nil, err
	}
	exit := make(chan error, 1)
	go func() {
		state, err := cmd.Process.Wait() // cmd.Wait would close the pipes, of which not all is read yet
		if err == nil && !state.Success() {
			err = &exec.ExitError{ProcessState: state}
		}
		group.release() // processes left behind would keep the pipes open
		exit <- err
	}()
	return &Streams{
		Stdin: in, Stdout: out, Stderr: errs,
		Kill: group.kill,
		Wait: sync.OnceValue(func() error { return <-exit }),
	}, nil
}
