package main

import (
	"context"
	"flag"
	"fmt"
	"io"

	"qhsh/pluginclient"
	"qhsh/pluginclient/attach"
	"qhsh/pluginclient/qhplugin"
)

// engineVariable names the environment variable that stands in for -engine where a host
// starts qhsh with the specification's command line alone.
const engineVariable = "QHSH_ENGINE"

// runInfo is info mode: the info block on stdout. With the embedded engine nothing is
// started and stdin is not read.
func runInfo(h host, args []string) int {
	return runMode(h, "-info", args, func(ctx context.Context, h host, server *qhplugin.Server) error {
		_, err := server.Info().WriteTo(h.Stdout)
		return err
	})
}

// runPlugin is plugin mode: commands on stdin, answers on stdout until QUIT or the end
// of stdin.
func runPlugin(h host, args []string) int {
	return runMode(h, "-plugin", args, func(ctx context.Context, h host, server *qhplugin.Server) error {
		return server.Serve(ctx, h.Stdin, h.Stdout)
	})
}

const modeHelp = `Section 2 of the QHPLUGIN specification: -info prints the info block, -plugin plays.
The word debug echoes the conversation on stderr. Without -engine, $QHSH_ENGINE names
the engine, and without that it is the embedded one.

` + engineHelp

// runMode runs one of the modes in which qhsh is a plugin of another program.
func runMode(h host, mode string, args []string, serve func(context.Context, host, *qhplugin.Server) error) int {
	ctx := context.Background()
	cmd := command{
		name: mode, operands: "[debug]", summary: "be a QHPLUGIN plugin", help: modeHelp,
		setup: func(fs *flag.FlagSet) action {
			var flags engineFlags
			flags.define(fs)
			return func(ctx context.Context, h host, operands []string) error {
				debug, err := debugWanted(operands)
				if err != nil {
					return err
				}
				if spec := h.Env(engineVariable); spec != "" && !isSet(fs, "engine") {
					flags.spec = spec
				}
				return flags.withServer(ctx, h, debug, func(server *qhplugin.Server) error {
					return serve(ctx, h, server)
				})
			}
		},
	}
	err := cmd.execute(ctx, h, args)
	status := statusOf(ctx, err)
	explain(h.Stderr, mode, status, err)
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

// withServer runs serve with the plugin that stands in front of the engine of the
// flags.
func (f *engineFlags) withServer(ctx context.Context, h host, debug bool, serve func(*qhplugin.Server) error) error {
	warn := func(text string) { fmt.Fprintf(h.Stderr, "qhsh: %s\n", text) }
	o, err := f.opener(h, warn)
	if err != nil {
		return err
	}
	defer o.Close()
	server, closing, err := attach.Server(ctx, o.spec, o.options)
	if err != nil {
		return err
	}
	defer closing()
	if log := echo(h, debug, o); log != nil {
		server.Trace = pluginclient.NewTrace("host", log)
	}
	return serve(server)
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
