package main

import (
	"context"
	"flag"
	"fmt"
	"io"

	"qhsh/engine/games"
	"qhsh/engine/printable"
	"qhsh/pluginclient"
	"qhsh/pluginclient/attach"
	"qhsh/pluginclient/qhplugin"
	"qhsh/pluginclient/ucci"
	"qhsh/pluginclient/uci"
	"qhsh/pluginclient/universal"
	"qhsh/pluginclient/xboard"
)

// engineVariable names the environment variable that stands in for -engine where a host
// starts qhsh with the specification's command line alone.
const engineVariable = "QHSH_ENGINE"

// runInfo is info mode: the info block on stdout. With the embedded engine nothing is
// started and stdin is not read.
func runInfo(h host, args []string) int {
	return runMode(h, "-info", "be a QHPLUGIN plugin", args, inFront(func(_ context.Context, h host, server *qhplugin.Server) error {
		_, err := server.Info().WriteTo(h.Stdout)
		return err
	}))
}

// runPlugin is plugin mode: commands on stdin, answers on stdout until QUIT or the end
// of stdin.
func runPlugin(h host, args []string) int {
	return runMode(h, "-plugin", "be a QHPLUGIN plugin", args, inFront(func(ctx context.Context, h host, server *qhplugin.Server) error {
		return server.Serve(ctx, h.Stdin, h.Stdout)
	}))
}

// runUCI and runUCCI are the modes in which qhsh is an engine that speaks one of these
// protocols.
func runUCI(h host, args []string) int {
	return runMode(h, "-uci", "be a UCI engine", args, universally(uci.Serve))
}

func runUCCI(h host, args []string) int {
	return runMode(h, "-ucci", "be a UCCI engine", args, universally(ucci.Serve))
}

// runXBoard is the mode for XBoard, WinBoard and other hosts of their protocol.
func runXBoard(h host, args []string) int {
	return runMode(h, "-xboard", "be an engine for XBoard and WinBoard", args, universally(xboard.Serve))
}

const modeHelp = `-info and -plugin are section 2 of the QHPLUGIN specification: -info prints the info
block, -plugin plays. -uci, -ucci and -xboard play in these protocols, and -qtp plays
Quoridor. The word debug echoes the conversation on stderr. Without -engine, $QHSH_ENGINE
names the engine, and without that it is the embedded one.

Exit status: 3 an engine could not be started, or was lost at last; 130 interrupted, of
which nothing is said.

` + engineHelp

// A service is what a mode does with the engine of a SPEC. The log is of the conversation
// with the host; nil: there is none.
type service func(ctx context.Context, h host, o *opener, log *pluginclient.TraceLog) error

// runMode runs one of the modes in which qhsh is an engine of another program.
func runMode(h host, mode, summary string, args []string, serve service) int {
	return runModeWith(context.Background(), h, mode, summary, args, func(*flag.FlagSet, *engineFlags) service { return serve })
}

// runModeWith runs a mode with flags of its own.
func runModeWith(ctx context.Context, h host, mode, summary string, args []string, with func(*flag.FlagSet, *engineFlags) service) int {
	cmd := command{
		name: mode, operands: "[debug]", summary: summary, help: modeHelp,
		setup: func(fs *flag.FlagSet, _ games.Table) action {
			var flags engineFlags
			flags.define(fs)
			serve := with(fs, &flags)
			return func(ctx context.Context, h host, operands []string) error {
				debug, err := debugWanted(operands)
				if err != nil {
					return err
				}
				if spec := h.Env(engineVariable); spec != "" && !isSet(fs, "engine") {
					flags.spec = spec
				}
				out := &hostOutput{stdout: stdout{h.Stdout}}
				h.Stdout = out
				if err := flags.serve(ctx, h, debug, serve); err != nil {
					return err
				}
				return out.failure()
			}
		},
	}
	err := cmd.execute(ctx, h, args)
	status := statusOf(ctx, err)
	if status != exitInterrupted { // that is how hosts end an engine
		explain(h.Stderr, mode, status, err)
	}
	return status
}

func debugWanted(operands []string) (bool, error) {
	switch {
	case len(operands) == 0:
		return false, nil
	case len(operands) == 1 && operands[0] == "debug":
		return true, nil
	}
	return false, usagef("%q is not an operand: only debug is", operands[0])
}

// isSet tells whether a flag was on the command line.
func isSet(fs *flag.FlagSet, name string) bool {
	found := false
	fs.Visit(func(f *flag.Flag) { found = found || f.Name == name })
	return found
}

// serve runs a mode with what the flags say.
func (f *engineFlags) serve(ctx context.Context, h host, debug bool, serve service) error {
	o, err := f.opener(h, func(text string) { fmt.Fprintf(h.Stderr, "qhsh: %s\n", printable.Line(text)) })
	if err != nil {
		return err
	}
	defer o.Close()
	return serve(ctx, h, o, echo(h, debug, o))
}

// inFront serves with a QHPLUGIN plugin that stands in front of the engine.
func inFront(serve func(context.Context, host, *qhplugin.Server) error) service {
	return func(ctx context.Context, h host, o *opener, log *pluginclient.TraceLog) (err error) {
		server, closing, err := attach.Server(ctx, o.spec, o.options)
		if err != nil {
			return err
		}
		defer closeInto(&err, closing)
		server.Trace = hostTrace(log)
		return serve(ctx, h, server)
	}
}

// universally serves with a server of another protocol that stands in front of the engine.
func universally(serve func(context.Context, io.Reader, io.Writer, universal.Served) error) service {
	return func(ctx context.Context, h host, o *opener, log *pluginclient.TraceLog) (err error) {
		served, closing, err := attach.Served(ctx, o.spec, o.options)
		if err != nil {
			return err
		}
		defer closeInto(&err, closing)
		served.Trace = hostTrace(log)
		return serve(ctx, h.Stdin, h.Stdout, served)
	}
}

// hostTrace is a trace of the conversation with the host; nil if there is no log.
func hostTrace(log *pluginclient.TraceLog) *pluginclient.Trace {
	if log == nil {
		return nil
	}
	return pluginclient.NewTrace("host", log)
}

// echo is where the conversation with the host goes: to the trace, to stderr, to both or
// nowhere.
func echo(h host, debug bool, o *opener) *pluginclient.TraceLog {
	switch {
	case !debug:
		return o.log
	case o.file == nil:
		return pluginclient.NewTraceLog(h.Stderr)
	}
	return pluginclient.NewTraceLog(io.MultiWriter(h.Stderr, o.file))
}
