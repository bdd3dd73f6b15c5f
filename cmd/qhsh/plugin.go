package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"syscall"

	"qhsh/engine/games"
	"qhsh/engine/printable"
	"qhsh/pluginclient"
	"qhsh/pluginclient/attach"
	"qhsh/pluginclient/task/output"
)

// engineVariable is the environment variable that replaces -engine if a host starts qhsh with only
// the arguments that the specification defines.
const engineVariable = "QHSH_ENGINE"

// runMode runs a mode in which qhsh is an engine of another program.
func runMode(ctx context.Context, h host, m attach.Mode, args []string) int {
	if m.Signals {
		var stop context.CancelFunc
		ctx, stop = untilSignal(ctx, os.Interrupt, syscall.SIGTERM)
		defer stop()
	}
	err := modeCommand(m).execute(ctx, h, args)
	status := statusOf(ctx, err)
	if status != exitInterrupted { // hosts end engines in this way
		h.explain(m.Flag, status, err)
	}
	return status
}

// modeCommand returns a mode as a command, which is not in the table of commands.
func modeCommand(m attach.Mode) command {
	return command{
		name: m.Flag, operands: "[debug]", summary: m.Summary, help: guide("plugin"),
		complete: wordAt(0, "debug"),
		setup: func(fs *flag.FlagSet, _ games.Table) action {
			var flags engineFlags
			flags.define(fs)
			for _, o := range m.Unused {
				fs.Int64(o.Name, 0, o.Help)
			}
			return func(ctx context.Context, h host, operands []string) error {
				debug := slices.Equal(operands, []string{"debug"})
				if len(operands) > 0 && !debug {
					return usagef("unexpected argument %q: only debug is allowed", operands[0])
				}
				if spec := h.Env(engineVariable); spec != "" && !isSet(fs, "engine") {
					flags.spec = spec
				}
				out := &output.StickyStream{Stream: output.Stream{Writer: h.Stdout}}
				h.Stdout = out
				if err := flags.serve(ctx, h, debug, m); err != nil {
					return err
				}
				return out.Err()
			}
		},
	}
}

// isSet reports whether a flag was on the command line.
func isSet(fs *flag.FlagSet, name string) bool {
	found := false
	fs.Visit(func(f *flag.Flag) { found = found || f.Name == name })
	return found
}

// firstSet returns the first of some flags that was on the command line, or "".
func firstSet(fs *flag.FlagSet, names ...string) string {
	if i := slices.IndexFunc(names, func(name string) bool { return isSet(fs, name) }); i >= 0 {
		return names[i]
	}
	return ""
}

// otherFlag returns the first flag on the command line that is not allowed, or "".
func otherFlag(fs *flag.FlagSet, allowed []string) (name string) {
	fs.Visit(func(f *flag.Flag) {
		if name == "" && !slices.Contains(allowed, f.Name) {
			name = f.Name
		}
	})
	return name
}

// serve runs a mode with the settings of the flags. The trace has the conversation with the host, which
// with debug goes to stderr, too.
func (f *engineFlags) serve(ctx context.Context, h host, debug bool, m attach.Mode) (err error) {
	run, err := f.begin(h, func(text string) { fmt.Fprintf(h.Stderr, "qhsh: %s\n", printable.Line(text)) })
	if err != nil {
		return err
	}
	defer run.end(ctx, &err)
	e, err := run.parse(f.spec)
	if err != nil {
		return err
	}
	if err := run.openFiles(ctx, nil); err != nil {
		return err
	}
	log := run.log
	switch {
	case !debug:
	case run.file == nil:
		log = pluginclient.NewTraceLog(h.Stderr)
	default:
		log = pluginclient.NewTraceLog(io.MultiWriter(h.Stderr, run.file))
	}
	var trace *pluginclient.Trace
	if log != nil {
		trace = pluginclient.NewTrace("host", log)
	}
	return m.Serve(ctx, attach.ServeConfig{Engine: e, Time: f.timeout, In: h.Stdin, Out: h.Stdout, Trace: trace})
}
