package main

import (
	"context"
	"flag"
	"io"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"strings"
	"syscall"

	"qhsh/engine/games"
	"qhsh/engine/printable"
	"qhsh/pluginclient"
	"qhsh/pluginclient/attach"
	"qhsh/pluginclient/task/output"
	"qhsh/repl"
)

const shellName = "shell"

// isShell reports whether a command line selects the shell: it has no command, or only flags.
func isShell(h host, args []string) bool {
	if len(args) == 0 || args[0] == shellName {
		return true
	}
	_, mode := pluginMode(h, args)
	return !mode && strings.HasPrefix(args[0], "-") && commandFlags[args[0]] == ""
}

var shellCommand = command{
	name:       shellName,
	noOperands: ": the shell takes only flags, and -c for commands",
	summary:    "talk to engines interactively or from a file; the default command",
	help:       withoutHead(repl.Guide),
	setup:      defined[shellAction],
}

type shellAction struct {
	engineFlags
	scriptFlags
	commands     *string // of -c; nil if it is not given
	noEdit, bail bool
}

func (c *shellAction) define(fs *flag.FlagSet, _ games.Table) {
	fs.Func("c", "run `COMMANDS` instead of reading any, separated by semicolons or newlines", func(text string) error {
		c.commands = &text
		return nil
	})
	fs.BoolVar(&c.noEdit, "noedit", false, "do not edit lines, but leave that to the terminal")
	fs.BoolVar(&c.bail, "bail", false, "end at the first command that fails")
	c.scriptFlags.define(fs)
	c.engineFlags.define(fs)
}

// runShell runs the shell, which handles Ctrl-C itself, and returns its exit status.
func runShell(ctx context.Context, h host, args []string) int {
	if len(args) > 0 && args[0] == shellName {
		args = args[1:]
	}
	signalled, stop := untilSignal(ctx, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	h.Stdout = output.Stream{Writer: h.Stdout}
	err := shellCommand.execute(signalled, h, args)
	status := statusOf(signalled, err)
	h.explain(shellName, status, err)
	return status
}

func (c *shellAction) run(ctx context.Context, h host, _ []string) (err error) {
	scripts, err := c.scriptFlags.options(h)
	if err != nil {
		return err
	}
	if scripts.Out != nil {
		defer scripts.Out.Close()
	}
	run, err := c.begin(h, nil)
	if err != nil {
		return err
	}
	defer run.end(ctx, &err)
	if err := run.openForScripts(ctx, nil); err != nil {
		return err
	}
	debug.SetMaxStack(maxStack)
	return repl.New(c.host(h, run), repl.Options{
		Engine: c.spec, Level: c.level, Waits: c.deadlines, Timeout: c.timeout, Commands: c.commands, Bail: c.bail,
		Script: scripts,
	}).Run(ctx)
}

// host returns the process as the shell sees it.
func (c *shellAction) host(h host, run *engineRun) repl.Host {
	interrupt := make(chan os.Signal, 1)
	signal.Notify(interrupt, os.Interrupt)
	dumb := h.Env("TERM") == "dumb"
	shellHost := repl.Host{
		Stdin: h.Stdin, Stdout: h.Stdout, Stderr: h.Stderr,
		Interactive: h.StdinTTY && c.commands == nil,
		Status:      h.StderrTTY && !dumb,
		Color:       h.StdoutTTY && !dumb && h.Env("NO_COLOR") == "",
		Size:        h.terminalSize,
		Interrupt:   interrupt,
		ConfigDir:   h.ConfigDir,
		StateDir:    h.StateDir,
		Games:       h.Games,
		CompleteSpec: func(typed string) []pluginclient.Completion {
			return h.kinds().Complete(typed, run.options.Names, "")
		},
		Language:  attach.Language(),
		Protocols: h.kinds().Languages(),
		Prompts:   h.kinds().Prompts(),
		Open: func(ctx context.Context, spec string, o repl.OpenOptions) (pluginclient.Session, error) {
			options := run.options
			options.Raw = o.Raw
			options.Level, options.Limits, options.Warn, options.File = o.Level, o.Limits, o.Warn, o.File
			options.Judged = o.Judged
			if o.Deadlines != (pluginclient.Deadlines{}) {
				options.Deadlines = o.Deadlines
			}
			return attach.Open(ctx, spec, options)
		},
		NameOf: func(spec string) string {
			e, _ := attach.Parse(spec, run.options) // opening it says what is wrong
			return e.ShortName
		},
	}
	if in, ok := h.Stdin.(*os.File); ok && shellHost.Interactive {
		shared := &sharedInput{file: in}
		shellHost.Stdin, shellHost.Edit = shared, editWith(h, shared)
	}
	if shellHost.Interactive && !c.noEdit && !dumb {
		shellHost.Keys = keys(h)
	}
	return shellHost
}

// keys returns the terminal on which lines are edited, or nil. The editor draws by its own escape
// sequences, and escapes what is typed. On Windows it is nil, as consoles have line editing with a
// history.
func keys(h host) *repl.Keys {
	in, ok := h.Stdin.(*os.File)
	if !ok || runtime.GOOS == "windows" {
		return nil
	}
	var screen io.Writer
	switch {
	case h.StdoutTTY:
		screen = printable.Raw(h.Stdout)
	case h.StderrTTY:
		screen = printable.Raw(h.Stderr)
	default:
		return nil
	}
	return &repl.Keys{FD: in.Fd(), Screen: screen, Resized: resized(), Suspend: suspend}
}

// terminalSize returns the size of the terminal in columns and rows, or zeros if there is none.
func (h host) terminalSize() (width, height int) {
	if width, height = sizeOf(h.Stdout); width > 0 {
		return width, height
	}
	return sizeOf(h.Stderr)
}
