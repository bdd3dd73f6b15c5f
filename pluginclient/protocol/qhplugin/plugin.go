package qhplugin

import (
	"context"
	"errors"
	"fmt"
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
	return Started(cmd.Path, InMode(cmd, "-info").Start, InMode(cmd, "-plugin").Start)
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
	var streams *pluginclient.Streams
	trace := pluginclient.NewTrace("", nil)
	conn, err := pluginclient.Connect(ctx, func(ctx context.Context) (_ *pluginclient.Streams, err error) {
		streams, err = start(ctx)
		return streams, err
	}, trace)
	if err != nil {
		return Info{}, err
	}
	defer conn.Close("", 0)
	b, err := readBlock(ctx, conn)
	if errors.Is(err, pluginclient.ErrDied) && !errors.Is(err, pluginclient.ErrOutputClosed) {
		b.Status = streams.Wait()
	} else {
		b.Stays = exitWait
	}
	lastWords := func() string {
		conn.Close("", 0) // collects stderr
		var words []string
		for _, e := range trace.Last(3, func(e pluginclient.Entry) bool { return e.Dir == pluginclient.Stderr && e.Text != "" }) {
			words = append(words, e.Text)
		}
		return pluginclient.LastWords(words)
	}
	text := strings.TrimSpace(strings.Join(b.Lines, "\n"))
	info, complete, err := ParseInfo(text)
	status, hasStatus := errors.AsType[*exec.ExitError](b.Status)
	isKilled := hasStatus && status.ExitCode() < 0
	switch {
	case !complete && b.Status != nil && (isKilled || text == "" || strings.HasPrefix(text, "QHPLUGIN")):
		return Info{}, fmt.Errorf("info mode: %w: %w: %w%s", pluginclient.ErrStart, pluginclient.ErrDied, b.Status, lastWords())
	case !complete && ctx.Err() != nil:
		return Info{Info: pluginclient.Info{Protocol: Protocol}}, errNoEndInfo
	case err != nil:
		return info, fmt.Errorf("no abilities are assumed: %w%s", err, lastWords())
	case !complete:
		err = errNoEndInfo
	}
	if ctx.Err() == nil { // else its end is unknown
		info.Breaches = b.Judge()
	}
	return info, err
}

// readBlock reads a block and what follows it within exitWait. It returns the error that ended the
// output, if it has ended.
func readBlock(ctx context.Context, conn *pluginclient.Conn) (b Block, err error) {
	var settled time.Time // when it had said all, or what begins no block
	for size := 0; size < maxInfo && (settled.IsZero() || time.Since(settled) < exitWait); {
		timed, stop := context.WithTimeout(ctx, exitWait)
		var line string
		line, err = conn.Receive(timed)
		stop()
		if err == nil {
			b.Lines = append(b.Lines, strings.TrimRight(line, " \t"))
			size += len(line) + 1
		} else if !conn.Alive() || ctx.Err() != nil {
			break
		} else {
			line = conn.Partial() // the end of the line may never come
		}
		cmd, _ := ParseCommand(line)
		if settled.IsZero() && (cmd.Word == "ENDINFO" || len(b.Lines) > 0 && !beginsBlock(b.Lines[0])) {
			settled = time.Now()
		}
	}
	if rest := conn.Partial(); rest != "" {
		b.Lines, b.Half = append(b.Lines, strings.TrimRight(rest, "\r \t")), true
	}
	return b, err
}
