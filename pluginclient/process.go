package pluginclient

import (
	"context"
	"fmt"
	"os"
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
	var files pipes
	defer files.closeTheirs()
	in, out, errs := files.open(), files.open(), files.open()
	if files.err != nil {
		files.closeOurs()
		return nil, files.err
	}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = in.r, out.w, errs.w
	files.theirs = []*os.File{in.r, out.w, errs.w}
	files.ours = []*os.File{in.w, out.r, errs.r}
	group, err := startInGroup(cmd)
	if err != nil {
		files.closeOurs()
		return nil, err
	}
	exit := make(chan error, 1)
	go func() {
		err := cmd.Wait()
		group.release() // processes left behind would keep the pipes open
		exit <- err
	}()
	return &Streams{
		Stdin: in.w, Stdout: out.r, Stderr: errs.r,
		Kill: group.kill,
		Wait: sync.OnceValue(func() error { return <-exit }),
	}, nil
}

type pipe struct{ r, w *os.File }

// pipes opens several pipes and remembers the first error.
type pipes struct {
	ours, theirs []*os.File
	err          error
}

func (p *pipes) open() pipe {
	r, w, err := os.Pipe()
	if err != nil {
		p.err = err
		return pipe{}
	}
	p.ours = append(p.ours, r, w)
	return pipe{r, w}
}

func (p *pipes) closeOurs() { closeAll(p.ours) }

func (p *pipes) closeTheirs() { closeAll(p.theirs) }

func closeAll(files []*os.File) {
	for _, f := range files {
		f.Close()
	}
}
