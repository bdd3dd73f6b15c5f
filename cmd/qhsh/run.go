package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"slices"
	"strings"

	"qhsh/engine/games"
	"qhsh/engine/interruptible"
	"qhsh/engine/printable"
	"qhsh/pluginclient"
	"qhsh/pluginclient/attach"
	"qhsh/pluginclient/sqlitefile"
	"qhsh/pluginclient/suggest"
	"qhsh/pluginclient/task/bench"
	"qhsh/pluginclient/task/check"
	"qhsh/pluginclient/task/cluster"
	"qhsh/pluginclient/task/cluster/job"
	"qhsh/pluginclient/task/hints"
	"qhsh/pluginclient/task/match"
	"qhsh/pluginclient/task/output"
	"qhsh/pluginclient/task/records"
	"qhsh/pluginclient/task/tune"
	"qhsh/repl"
	"qhsh/script/confine"
)

// A host is the process as the commands see it.
type host struct {
	Stdin                          io.Reader
	Stdout, Stderr                 io.Writer
	StdinTTY, StdoutTTY, StderrTTY bool
	Env                            func(key string) string
	Games                          games.Table
	Kinds                          attach.Kinds      // of engines; the zero value for those of Games
	ConfigDir                      string            // qhsh's folder for settings; may be empty
	StateDir                       string            // qhsh's folder for state; may be empty
	Hostname                       string            // of this machine, for people
	names                          map[string]string // of engines; nil: those of engines.json
	namesErr                       error             // why they cannot be read
	Processors                     func(n int)       // limits the processors that this process uses; may be nil

	// Confine is [confine.Run]; may be nil.
	Confine func(ctx context.Context, limit int64, engines int) (*confine.End, error)
}

// limitProcessors leaves the processors to the given number of engines, which run as processes of
// their own and get one position at a time. This process then only passes on their output: with
// more processors the Go runtime would wake threads that have nothing to do, which slows the
// engines down.
func (h host) limitProcessors(engines int) {
	if h.Processors != nil {
		h.Processors(engines)
	}
}

// Exit statuses, which only [statusOf] chooses. [exitHelp] says what they mean.
const (
	exitOK          = 0
	exitFailed      = 1
	exitUsage       = 2
	exitEngine      = 3
	exitInterrupted = 130 // by SIGINT or SIGTERM
)

// exitHelp describes the exit statuses of every command. Line ends are those of the overview.
var exitHelp = []struct {
	status int
	text   string
}{
	{exitOK, "success"},
	{exitFailed, `complete, but some position, test or game failed: its line is invalid, or the engine
refused it, was late or gave an invalid answer; or a file could not be read or
written during the run, for example because the disk is full`},
	{exitUsage, "the command line is wrong, or a file that it names could not be opened at the start"},
	{exitEngine, "an engine could not be started or kept alive"},
	{exitInterrupted, "interrupted"},
}

// errSomeFailed is the error of a command that is complete except for failures that it has already
// reported.
var errSomeFailed = errors.New("some failed")

// isComplete reports whether a command that returns err has done all that it should, except for
// failures that it has reported.
func isComplete(err error) bool { return err == nil || errors.Is(err, errSomeFailed) }

// errDone is an errSomeFailed of a command that is complete, even if it was interrupted at the
// last moment.
var errDone = fmt.Errorf("done, but %w", errSomeFailed)

// An exitError is an errSomeFailed of a command in another process, with its exit status.
type exitError struct{ status int }

func (e exitError) Error() string { return fmt.Sprintf("exit status %d", e.status) }

func (e exitError) Is(target error) bool { return target == errSomeFailed }

// A usageError is an error in the command line.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

// usageErrors are the errors of packages that are about the command line, whoever returns them.
var usageErrors = []error{
	attach.ErrSpec, bench.ErrConfig, check.ErrUnknownCheck, cluster.ErrNoRun, cluster.ErrURL, job.ErrEngine,
	match.ErrConfig, records.ErrFormat, repl.ErrLevel, tune.ErrConfig,
}

func usagef(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// run runs qhsh and returns its exit status. The user interrupts it by cancelling ctx.
func run(ctx context.Context, h host, args []string) int {
	h, closing := h.withNames(ctx)
	defer closing()
	if mode, ok := pluginMode(h, args); ok {
		return runMode(ctx, h, mode, args[1:])
	}
	if isShell(h, args) {
		return runShell(ctx, h, args)
	}
	cmd, err := find(args[0])
	if err != nil {
		fmt.Fprintf(h.Stderr, "qhsh: %s\n", printable.Error(err))
		return exitUsage
	}
	h.Stdin, h.Stdout = interruptible.Reader(ctx, h.Stdin), output.Stream{Writer: h.Stdout}
	err = cmd.execute(ctx, h, args[1:])
	status := statusOf(ctx, err)
	h.explain(cmd.name, status, err)
	return status
}

// pluginMode returns the mode in which qhsh is itself an engine of another program. ok is false if
// the arguments select none.
func pluginMode(h host, args []string) (mode attach.Mode, ok bool) {
	if len(args) == 0 {
		return mode, false
	}
	for _, m := range h.kinds().Modes() {
		if args[0] == m.Flag || args[0] == "-"+m.Flag {
			return m, true
		}
	}
	return mode, false
}

// commandFlags are first arguments that look like flags and name commands.
var commandFlags = map[string]string{
	"-h": "help", "-help": "help", "--help": "help",
	"-version": "version", "--version": "version",
}

// find returns the command that the first argument names.
func find(name string) (command, error) {
	name = cmp.Or(commandFlags[name], name)
	all := commands()
	if i := slices.IndexFunc(all, func(c command) bool { return c.name == name }); i >= 0 {
		return all[i], nil
	}
	return command{}, errors.Join(
		fmt.Errorf("unknown command %q%s", name, suggestCommand(name, commandNames())),
		errors.New("run 'qhsh help' for a list of commands"))
}

func suggestCommand(word string, names []string) string {
	if strings.HasPrefix(word, "-") {
		return ": flags come after the command"
	}
	if guess := suggest.Closest(word, names); guess != "" {
		return ": did you mean " + guess + "?"
	}
	if _, err := os.Stat(word); err == nil {
		return ": for the hints of a file run 'qhsh hints " + word + "'"
	}
	return ""
}

// sayf tells the user something in the name of a command, in one line, whatever characters are in it.
func (h host) sayf(command, format string, args ...any) {
	fmt.Fprintf(h.Stderr, "qhsh %s: %s\n", command, printable.Line(fmt.Sprintf(format, args...)))
}

func (c command) execute(ctx context.Context, h host, args []string) error {
	fs, action := c.flags(h.Games)
	operands, err := parseFlags(fs, c.endsFlags, args)
	if errors.Is(err, flag.ErrHelp) {
		_, err := fmt.Fprintf(h.Stdout, "%s\n'qhsh help %s' says more.\n", h.usage(c), c.topic())
		return err
	}
	if err != nil {
		return err
	}
	if c.operands == "" && len(operands) > 0 {
		return usagef("unexpected argument %q%s", operands[0], c.noOperands)
	}
	return action(ctx, h, operands)
}

func statusOf(ctx context.Context, err error) int {
	var usage usageError
	var opening *output.OpenError
	var refused *hints.RefusedError
	var start *attach.StartError
	var exit exitError
	switch {
	case err == nil, errors.Is(err, output.ErrReaderGone):
		return exitOK
	case errors.As(err, &exit):
		return exit.status
	case errors.Is(err, errDone):
		return exitFailed
	case ctx.Err() != nil, errors.Is(err, repl.ErrInterrupted):
		return exitInterrupted
	case errors.Is(err, sqlitefile.ErrLocked): // which has nothing to do with the command line
		return exitFailed
	case errors.As(err, &usage), errors.As(err, &opening), errors.As(err, &refused), isAny(err, usageErrors...):
		return exitUsage
	case errors.As(err, &start), pluginclient.Lost(err), errors.Is(err, repl.ErrLost):
		return exitEngine
	}
	return exitFailed
}

// isAny reports whether err is one of the targets, as errors.Is says.
func isAny(err error, targets ...error) bool {
	return slices.ContainsFunc(targets, func(target error) bool { return errors.Is(err, target) })
}

// explain tells the user what went wrong and what to do about it.
func (h host) explain(name string, status int, err error) {
	isReported := isAny(err, errSomeFailed, repl.ErrFailed, repl.ErrLost, repl.ErrInterrupted)
	if status == exitOK || isReported {
		return
	}
	if status == exitInterrupted {
		err = errors.New("interrupted")
	}
	fmt.Fprintf(h.Stderr, "qhsh %s: %s\n", name, printable.Error(err))
	if status == exitUsage && h.namesErr != nil && !errors.Is(err, h.namesErr) {
		fmt.Fprintf(h.Stderr, "qhsh %s: no name of engines.json is known: %s\n", name, printable.Error(h.namesErr))
	}
	var engine *pluginclient.Error
	switch {
	case status == exitUsage && strings.HasPrefix(name, "-"):
		fmt.Fprintf(h.Stderr, "run 'qhsh %s -h' for its usage\n", name)
	case status == exitUsage:
		fmt.Fprintf(h.Stderr, "run 'qhsh help %s' for its usage\n", name)
	case status == exitEngine, errors.As(err, &engine):
		fmt.Fprintln(h.Stderr, h.engineAdvice(err))
	}
}

func (h host) engineAdvice(err error) string {
	if isAny(err, exec.ErrNotFound, fs.ErrNotExist, fs.ErrPermission) {
		return "name an engine by its program's path, or by a name in engines.json"
	}
	late := isAny(err, pluginclient.ErrNoReply, pluginclient.ErrPartialLine, pluginclient.ErrTimedOut, pluginclient.ErrInputBlocked)
	advice := "-trace FILE records the conversation"
	switch {
	case !late || errors.Is(err, pluginclient.ErrDied): // and more time does not help
	case errors.Is(err, pluginclient.ErrStart):
		advice += ", -wait start=2m gives a slow engine more time"
	default:
		advice += ", -wait reply=30s,think=1h gives a slow engine more time"
	}
	var start *attach.StartError
	switch {
	case !errors.As(err, &start) || start.Speaks != "":
	case start.Protocol != "":
		advice += "\nthe SPEC says that it speaks " + start.Protocol + ": use another prefix for other protocols"
	default:
		var names, titles []string
		for _, k := range h.kinds().Protocols() {
			names, titles = append(names, k.Name+":"), append(titles, k.Title)
		}
		advice += "\nthe SPEC of an engine that speaks " + printable.OneOf(titles) + " begins with " + printable.OneOf(names)
	}
	return advice
}
