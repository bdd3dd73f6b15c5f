// Qhsh is for people who work with board-game engines over text protocols.
//
// This package is the command line: flags, subcommands, exit statuses, and no logic of
// its own. Only main touches the operating system's streams, signals and environment;
// everything below it gets them in a [host], so that tests can stand in for all of it.
// A subcommand is a [command] in the table of [commands], which feeds the dispatch, the
// help and the checks.
//
// Data goes to stdout. Whatever is said to a person goes to stderr, in lower case, with
// the subcommand's name in front.
package main

import (
	"context"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"syscall"

	"qhsh/engine/games"
	"qhsh/engine/printable"
	"qhsh/pluginclient/task/output"
)

func main() { os.Exit(start(os.Args[1:])) }

// start runs qhsh in this process. The first SIGINT or SIGTERM ends the work in an orderly manner,
// a second one ends the process at once.
func start(args []string) int {
	ctx, h := context.Background(), hostOfProcess()
	if _, mode := pluginMode(h, args); !mode && !isShell(h, args) {
		var stop context.CancelFunc
		ctx, stop = signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
		defer stop()
		context.AfterFunc(ctx, stop)
	}
	// A pipe that closes early is a write error like any other, and so is a file that must
	// not grow. Ignoring the signals would do that too, but engines would inherit it.
	for _, s := range output.Signals() {
		signal.Notify(make(chan os.Signal, 1), s)
	}
	defer flush(h.Stdout, h.Stderr)
	return run(ctx, h, args)
}

func hostOfProcess() host {
	h := host{
		Stdin: os.Stdin, Stdout: output.EscapeIfTerminal(os.Stdout), Stderr: printable.NewWriter(os.Stderr),
		StdinTTY: output.IsTerminal(os.Stdin), StdoutTTY: output.IsTerminal(os.Stdout), StderrTTY: output.IsTerminal(os.Stderr),
		Env: os.Getenv, Games: games.Default, Processors: boundProcessors,
	}
	if dir, err := os.UserConfigDir(); err == nil {
		h.ConfigDir = filepath.Join(dir, "qhsh")
	}
	h.StateDir = stateDir(runtime.GOOS, os.Getenv, h.ConfigDir)
	return h
}

// boundProcessors limits the Go runtime to n processors.
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
	if dir := env("XDG_STATE_HOME"); filepath.IsAbs(dir) { // one that is not is to be ignored
		return filepath.Join(dir, "qhsh")
	}
	if home := env("HOME"); home != "" {
		return filepath.Join(home, ".local", "state", "qhsh")
	}
	return ""
}

// flush flushes escaping writers.
func flush(doors ...io.Writer) {
	for _, w := range doors {
		if door, ok := w.(*printable.Writer); ok {
			_ = door.Flush() // there is nobody left to tell
		}
	}
}
