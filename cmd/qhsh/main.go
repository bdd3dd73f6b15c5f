// Qhsh is a tool for working with board-game engines over text protocols.
//
// This package is only the command line: flags, subcommands and exit statuses. Only main uses the
// operating system's streams, signals and environment; all other functions get them in a [host],
// which tests can replace. A subcommand is a [command] in the table of [commands], which drives
// dispatch, help and checks.
//
// Data goes to stdout. Messages to the user go to stderr, in lower case, after the name of the
// subcommand.
package main

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"syscall"

	"qhsh/engine/games"
	"qhsh/engine/printable"
	"qhsh/pluginclient/attach"
	"qhsh/pluginclient/task/output"
	"qhsh/script/confine"
)

func main() { os.Exit(start(os.Args[1:])) }

// start runs qhsh in this process. The first SIGINT or SIGTERM ends the work in an orderly manner,
// a second one ends the process at once.
func start(args []string) int {
	until := untilSignal
	if confine.Begin() { // the terminal signals both processes, and the parent passes on its own
		until = signal.NotifyContext
	}
	ctx, h := context.Background(), hostOfProcess()
	h.Confine = confine.Run
	if _, mode := pluginMode(h, args); !mode && !isShell(h, args) {
		var stop context.CancelFunc
		ctx, stop = until(ctx, os.Interrupt, syscall.SIGTERM)
		defer stop()
	}
	// A closed pipe and a file that has reached its size limit are handled as write errors.
	// Ignoring their signals would do that too, but engines would inherit the setting.
	for _, s := range output.Signals() {
		signal.Notify(make(chan os.Signal, 1), s)
	}
	defer flush(h.Stdout, h.Stderr)
	return run(ctx, h, args)
}

// untilSignal returns a copy of ctx that ends at a signal. The next one has its usual effect.
func untilSignal(ctx context.Context, signals ...os.Signal) (context.Context, context.CancelFunc) {
	ctx, stop := signal.NotifyContext(ctx, signals...)
	context.AfterFunc(ctx, stop)
	return ctx, stop
}

func hostOfProcess() host {
	h := host{
		Stdin: os.Stdin, Stdout: output.EscapeIfTerminal(os.Stdout), Stderr: printable.NewWriter(os.Stderr),
		StdinTTY: output.IsTerminal(os.Stdin), StdoutTTY: output.IsTerminal(os.Stdout), StderrTTY: output.IsTerminal(os.Stderr),
		Env: os.Getenv, Games: games.Default, Kinds: attach.DefaultKinds(games.Default), Processors: boundProcessors,
	}
	if dir, err := os.UserConfigDir(); err == nil {
		h.ConfigDir = filepath.Join(dir, "qhsh")
	}
	h.Hostname, _ = os.Hostname()                                                      // it is only shown
	h.StateDir = stateDir(runtime.GOOS, os.Getenv, h.ConfigDir)                        // the shell says if it has no history
	if _, err := os.Stat(h.ConfigDir); err != nil && !errors.Is(err, fs.ErrNotExist) { // nothing can be in it, as with HOME=/dev/null
		h.ConfigDir = ""
	}
	return h
}

func boundProcessors(n int) {
	if n < runtime.GOMAXPROCS(0) {
		runtime.GOMAXPROCS(n)
	}
}

// stateDir returns the folder for state, such as the history, according to the XDG Base Directory
// Specification, or configDir on systems that do not follow it.
func stateDir(system string, env func(string) string, configDir string) string {
	switch system {
	case "windows", "darwin", "ios", "plan9":
		return configDir
	}
	if dir := env("XDG_STATE_HOME"); filepath.IsAbs(dir) { // the specification ignores relative paths
		return filepath.Join(dir, "qhsh")
	}
	if home := env("HOME"); home != "" {
		return filepath.Join(home, ".local", "state", "qhsh")
	}
	return ""
}

func flush(doors ...io.Writer) {
	for _, w := range doors {
		if door, ok := w.(*printable.Writer); ok {
			_ = door.Flush() // the error cannot be reported any more
		}
	}
}
