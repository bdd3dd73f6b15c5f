package qhplugin

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"strings"
	"time"

	"qhsh/pluginclient"
)

// A Plugin is how a plugin is started in the two modes of section 2 of the
// specification.
type Plugin struct {
	Name  string // for traces and errors until it has told its own
	Info  func(ctx context.Context) (Info, error)
	Start pluginclient.Starter
}

// maxInfo bounds the size of an info block in bytes.
const maxInfo = 1 << 20

// exitWait is how long a program that has closed its output is given to end.
const exitWait = time.Second

// errNoEndInfo is the error of an info block without an end: nothing is known then.
var errNoEndInfo = errors.New("no abilities are assumed: the info block has no ENDINFO")

// Program is the plugin that a command line starts. The word -plugin is added to the
// command line; if it is there already it is replaced by -info in info mode.
func Program(cmd pluginclient.Command) Plugin {
	play := InMode(cmd, "-plugin")
	ask := InMode(cmd, "-info")
	return Plugin{
		Name:  cmd.Path,
		Info:  func(ctx context.Context) (Info, error) { return askInfo(ctx, ask.Start) },
		Start: play.Start,
	}
}

// InMode is a plugin's command line in another mode, "-info" or "-plugin".
func InMode(cmd pluginclient.Command, mode string) pluginclient.Command {
	cmd.Args = slices.Clone(cmd.Args)
	if i := slices.Index(cmd.Args, "-plugin"); i >= 0 {
		cmd.Args[i] = mode
	} else {
		cmd.Args = append(cmd.Args, mode)
	}
	return cmd
}

// InProcess is a server of this process as a plugin.
func InProcess(s *Server) Plugin {
	return Plugin{
		Name:  s.Name,
		Info:  func(context.Context) (Info, error) { return s.Info(), nil },
		Start: pluginclient.Pipe(s.Serve),
	}
}

// askInfo runs a program in info mode and reads what it prints up to ENDINFO, the end
// of its output or the end of the context, whichever is first. A program that dies instead
// could not be started: its error wraps pluginclient.ErrStart and ErrDied. One that does not
// know the mode may well say so and exit with a status of its own.
func askInfo(ctx context.Context, start pluginclient.Starter) (Info, error) {
	streams, err := start(ctx)
	if err != nil {
		return Info{}, err
	}
	defer streams.Stdout.Close()
	defer streams.Stdin.Close()
	defer func() {
		streams.Kill()
		_ = streams.Wait()
	}()
	if streams.Stderr != nil {
		defer streams.Stderr.Close()
		go func() { _, _ = io.Copy(io.Discard, streams.Stderr) }()
	}
	text := readBlock(ctx, streams.Stdout)
	info, complete, err := ParseInfo(text)
	if !complete {
		if exit := exitError(ctx, streams); isCrash(exit, text) {
			return Info{}, fmt.Errorf("info mode: %w: %w: %w", pluginclient.ErrStart, pluginclient.ErrDied, exit)
		}
	}
	switch {
	case err != nil:
		return info, fmt.Errorf("no abilities are assumed: %w", err)
	case !complete:
		return info, errNoEndInfo
	}
	return info, nil
}

// exitError is how a program has ended that writes nothing more; nil if it lives on.
func exitError(ctx context.Context, streams *pluginclient.Streams) error {
	exit := make(chan error, 1)
	go func() { exit <- streams.Wait() }()
	select {
	case err := <-exit:
		return err
	case <-time.After(exitWait):
	case <-ctx.Done():
	}
	return nil
}

// isCrash reports whether an exit is that of a program that has broken down, rather than of one
// that was asked what it does not know: it was killed, or it wrote nothing, or it had begun
// with its block.
func isCrash(exit error, text string) bool {
	if exit == nil {
		return false
	}
	var status *exec.ExitError
	killed := errors.As(exit, &status) && status.ExitCode() < 0
	text = strings.TrimSpace(text)
	return killed || text == "" || strings.HasPrefix(text, "QHPLUGIN")
}

// readBlock reads until ENDINFO stands on a line.
func readBlock(ctx context.Context, r io.Reader) string {
	block := make(chan string, 1)
	go func() {
		var text bytes.Buffer
		buf := make([]byte, 4096)
		for text.Len() < maxInfo {
			n, err := r.Read(buf)
			text.Write(buf[:n])
			if _, complete, _ := ParseInfo(text.String()); complete || err != nil || ctx.Err() != nil {
				break
			}
		}
		block <- text.String()
	}()
	select {
	case text := <-block:
		return text
	case <-ctx.Done():
		// What has come so far is lost with the reader, which ends when the stream is
		// closed; a block that takes so long has no end to be believed anyway.
		return Protocol + "\n"
	}
}
