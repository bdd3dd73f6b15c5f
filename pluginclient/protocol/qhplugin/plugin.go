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

// A Plugin describes how to start a plugin in the two modes of section 2 of the specification.
type Plugin struct {
	Name  string // for traces and errors until the plugin reports its name
	Info  func(ctx context.Context) (Info, error)
	Start pluginclient.Starter
}

// maxInfo is the maximum size of an info block in bytes.
const maxInfo = 1 << 20

// exitWait is how long a program that has closed its output may take to exit.
const exitWait = time.Second

// errNoEndInfo is the error for an info block without ENDINFO. No abilities are assumed then.
var errNoEndInfo = errors.New("no abilities are assumed: the info block has no ENDINFO")

// Program returns the Plugin of a command line. It appends -plugin or -info to the command line. If it
// already contains -plugin, that is replaced in info mode.
func Program(cmd pluginclient.Command) Plugin {
	play := InMode(cmd, "-plugin")
	ask := InMode(cmd, "-info")
	return Started(cmd.Path, ask.Start, play.Start)
}

// Started returns the Plugin that is started in info mode and in plugin mode by two Starters.
func Started(name string, ask, play pluginclient.Starter) Plugin {
	return Plugin{
		Name:  name,
		Info:  func(ctx context.Context) (Info, error) { return askInfo(ctx, ask) },
		Start: play,
	}
}

// InMode returns a plugin's command line for the given mode, "-info" or "-plugin".
func InMode(cmd pluginclient.Command, mode string) pluginclient.Command {
	cmd.Args = slices.Clone(cmd.Args)
	if i := slices.Index(cmd.Args, "-plugin"); i >= 0 {
		cmd.Args[i] = mode
	} else {
		cmd.Args = append(cmd.Args, mode)
	}
	return cmd
}

// InProcess returns a Plugin that runs a server in this process.
func InProcess(s *Server) Plugin {
	return Plugin{
		Name:  s.Name,
		Info:  func(context.Context) (Info, error) { return s.Info(), nil },
		Start: pluginclient.Pipe(s.Serve),
	}
}

// askInfo runs a program in info mode and reads its output until ENDINFO, its end or the end of ctx. If
// the program crashes, the error wraps pluginclient.ErrStart and ErrDied. A program that does not know
// the mode may exit with an error status; that is not a crash.
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
	words := readStderr(streams.Stderr)
	defer words.close()
	text := readBlock(ctx, streams.Stdout)
	info, complete, err := ParseInfo(text)
	ended, exit := exitStatus(ctx, streams)
	if !complete && isCrash(exit, text) {
		return Info{}, fmt.Errorf("info mode: %w: %w: %w%s", pluginclient.ErrStart, pluginclient.ErrDied, exit, words.lastLines())
	}
	switch {
	case err != nil:
		return info, fmt.Errorf("no abilities are assumed: %w%s", err, words.lastLines())
	case !complete:
		err = errNoEndInfo
	}
	if ctx.Err() != nil {
		return info, err // the output is not available
	}
	block := newBlock(text)
	if block.Status = exit; !ended {
		block.Stays = exitWait
	}
	info.Breaches = block.Judge()
	return info, err
}

// newBlock splits the output of a program into lines.
func newBlock(text string) Block {
	rest, whole := strings.CutSuffix(text, "\n")
	b := Block{Half: !whole}
	for line := range strings.SplitSeq(rest, "\n") {
		b.Lines = append(b.Lines, strings.TrimRight(line, "\r \t"))
	}
	return b
}

// exitStatus waits for the exit of a program that has closed its output.
func exitStatus(ctx context.Context, streams *pluginclient.Streams) (ended bool, status error) {
	exit := make(chan error, 1)
	go func() { exit <- streams.Wait() }()
	timer := time.NewTimer(exitWait)
	defer timer.Stop()
	select {
	case status = <-exit:
		return true, status
	case <-timer.C:
	case <-ctx.Done():
	}
	return false, nil
}

// stderrText collects what a program in info mode writes to stderr.
type stderrText struct {
	stream io.ReadCloser // may be nil
	read   chan string   // the text, at the end of the stream
}

// readStderr starts reading stderr to its end.
func readStderr(stream io.ReadCloser) *stderrText {
	w := &stderrText{stream, make(chan string, 1)}
	if stream == nil {
		close(w.read)
		return w
	}
	go func() {
		const most = 64 << 10 // bytes
		text, _ := io.ReadAll(io.LimitReader(stream, most))
		w.read <- string(text)
		_, _ = io.Copy(io.Discard, stream)
	}()
	return w
}

func (w *stderrText) close() {
	if w.stream != nil {
		w.stream.Close()
	}
}

// lastLines returns the last lines, in a form that follows the program's error.
func (w *stderrText) lastLines() string {
	const most = 3 // lines
	timer := time.NewTimer(exitWait)
	defer timer.Stop()
	var text string
	select {
	case text = <-w.read:
	case <-timer.C:
	}
	lines := strings.FieldsFunc(text, func(r rune) bool { return r == '\n' || r == '\r' })
	return pluginclient.LastWords(lines[max(len(lines)-most, 0):])
}

// isCrash reports whether a program has crashed, instead of exiting because it does not know info mode:
// it was killed, wrote nothing, or had begun the block.
func isCrash(exit error, text string) bool {
	if exit == nil {
		return false
	}
	var status *exec.ExitError
	killed := errors.As(exit, &status) && status.ExitCode() < 0
	text = strings.TrimSpace(text)
	return killed || text == "" || strings.HasPrefix(text, "QHPLUGIN")
}

// readBlock reads until a line ENDINFO, or a first line that begins no block. If the end of that line has not come with it, it may come
// within exitWait.
func readBlock(ctx context.Context, r io.Reader) string {
	block := make(chan string, 2)
	go func() {
		defer close(block)
		var text bytes.Buffer
		buf := make([]byte, 4096)
		for sent := false; ; {
			n, err := r.Read(buf)
			text.Write(buf[:n])
			_, complete, foreign := ParseInfo(text.String())
			over := err != nil || ctx.Err() != nil || text.Len() >= maxInfo || foreign != nil && bytes.Contains(text.Bytes(), []byte("\n"))
			switch {
			case over, complete && bytes.HasSuffix(text.Bytes(), []byte("\n")):
				block <- text.String()
				return
			case complete && !sent:
				block <- text.String()
				sent = true
			}
		}
	}()
	select {
	case text := <-block:
		return withLineEnd(text, block)
	case <-ctx.Done():
		// The output so far is lost with the reader, which ends when the stream is closed. A block
		// that takes so long has no reliable end anyway.
		return Protocol + "\n"
	}
}

// withLineEnd returns text, or what follows from block if text does not end in a line feed.
func withLineEnd(text string, block <-chan string) string {
	if strings.HasSuffix(text, "\n") {
		return text
	}
	timer := time.NewTimer(exitWait)
	defer timer.Stop()
	select {
	case more, ok := <-block:
		if ok {
			return more
		}
	case <-timer.C:
	}
	return text
}
