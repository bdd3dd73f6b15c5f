// Package script is the Starlark environment of qhsh: programs that work with positions
// and engines.
//
// # Values
//
// A script works with boards, scores, hints, trees and engines, whose names follow python-chess.
// Each type of value has a [class]: a table of members with a Python stub signature and a doc text.
// The interpreter's attributes, help(x), API.md and the stubs for editors are all made from it.
// Functions are members too. They are plain Go functions: a [binding] gives them the arguments of a
// call, with the defaults of the signature, and what they return becomes a value ([toValue]). Values
// that never change are each an [object]. A move is a plain string in ICCS, such as "H2-E2".
//
// # Running
//
// An [Env] is created with [Options] and runs files ([Env.RunFile]), lines of a prompt ([Env.Exec])
// and functions that are commands of the shell ([Env.Call]). A script runs from top to bottom; no
// function is called automatically. The output of print and emit goes to Options.Stdout, that of
// log to Options.Stderr.
//
// Each interpreter thread has a [task]: its context, limits, engines and output. pmap runs
// functions on separate threads. They share no mutable data: the items, the function and everything
// it reaches are frozen first ([globalRefs] knows the globals). Each worker has its own engines
// ([scope]), and the output of an item is held until all items before it have been written. So the
// result does not depend on the number of workers.
//
// # Limits
//
// Scripts are not trusted. A script can read only the files named on the command line and those in
// its own folder, write below one folder, and start the engines named on the command line; it has
// no network access. Every path that a script names, also in a SPEC, is opened by
// [scriptFolder.open], [Env.filePath] or [Env.create], which refuse what is outside before they look
// whether it exists. Its steps, time and memory are limited ([Limits]), and it ends with its context.
//
//   - Steps are taken from one pool in chunks. The same callback limits the call depth.
//   - The thread that creates values reads the size of the heap itself, with each chunk of steps, and a
//     watcher reads it all the time ([memory]). Above the limit the script is stopped.
//   - While a script runs, the soft memory limit of the Go runtime limits garbage.
//   - A single operation of the interpreter, such as x + x or list(range(n)), is not checked before it
//     allocates. Only a limit of the system bounds that, see package confine: 'qhsh run' has it where
//     the system can, the shell has not.
//   - A stopped thread ends at its next step. A Go function cannot be interrupted, so after a moment
//     the run returns without it ([ErrAbandoned]). The caller should then end the process if it can.
//   - Some functions of the interpreter recurse as deep as their data, such as the hash of a tuple.
//     The stacks are checked like the heap, and the script is stopped before Go terminates the
//     process. The caller should raise debug.SetMaxStack to leave time for that.
//
// # Files
//
// Running: script.go (the environment), run.go, load.go (modules), thread.go, error.go, quietlog.go. Limits:
// limits.go, memory.go, confine. Values: class.go, signature.go, call.go, values.go, catalog.go,
// board*.go, game.go, annotate.go, puzzle.go, score.go, hint.go, treevalue.go, random.go, engine.go, engines.go.
// Functions: pmap.go with freeze.go and globalrefs.go, output.go, readfile.go with games.go and csv.go,
// explore.go, arguments.go, progress.go, table.go, builtins.go, help.go.
// Documentation: doc.go. library/ has modules that every script can load.
package script

import (
	"cmp"
	"context"
	"io"
	"maps"
	"os"
	"runtime"
	"slices"
	"sync/atomic"

	"go.starlark.net/lib/math"
	startime "go.starlark.net/lib/time"
	"go.starlark.net/starlark"
	"go.starlark.net/starlarkstruct"

	"qhsh/engine"
	"qhsh/engine/games"
	"qhsh/pluginclient"
)

// Options configure an Env. Open, Games, Stdin, Stdout and Stderr must be set.
type Options struct {
	// Open starts the engine of a SPEC.
	Open func(ctx context.Context, spec string, o EngineOptions) (pluginclient.Session, error)
	// Engine is the default SPEC of engine(); empty: "builtin".
	Engine string
	// Embedded reports whether a SPEC is an embedded engine, and returns the size of its table in
	// MiB, 0 if not given; nil: none is. It reads no file but those that o.File returns.
	Embedded func(spec string, o EngineOptions) (memory int, ok bool)
	// Allowed are additional SPECs that a script may use. Engine and the embedded engines are
	// always allowed.
	Allowed []string
	Permit  func(spec string) bool // reports whether another SPEC is allowed, at the time of the call; nil: none
	Level   *int                   // default level of Engine; nil: the engine's own
	Search  engine.Limits          // default limits of Engine; Time applies to all engines
	Jobs    int                    // default of pmap; 0: the number of processors

	Games  games.Table // games of boards, at least one
	Limits Limits

	Stdin          io.Reader // read by positions("-")
	Stdout, Stderr io.Writer // of data and messages
	Progress       bool      // Stderr is a terminal on which progress() may draw
	Folder         string    // where load and positions of a prompt look for files; empty: nowhere
	Out            *os.Root  // where write() creates files; nil: nowhere
	Shell          Shell     // nil outside the shell
}

// EngineOptions are the options of a script's engine besides its SPEC.
type EngineOptions struct {
	Level  *int          // nil: the engine's own
	Limits engine.Limits // of its searches; it is an error if the engine does not support them
	// File returns the path of a file that the SPEC of an embedded engine names, or why the script
	// must not read it; nil: the path as given, because the user has given the SPEC.
	File func(path string) (string, error)
}

// A Shell is the shell as seen by a script. The value session is the attached engine, and
// shell(line) runs a line.
type Shell interface {
	// Session returns the attached engine and a SPEC that opens another one like it. s is nil if
	// there is none.
	Session() (s pluginclient.Session, spec string)
	// Run runs a line as if typed and returns its output.
	Run(ctx context.Context, line string) (string, error)
}

// An Env is an environment that runs scripts. It must not be used by several goroutines at once.
type Env struct {
	opts        Options
	games       *catalog
	console     *console
	scope       *scope // of everything outside pmap
	engines     engines
	predeclared starlark.StringDict
	globals     starlark.StringDict // of the prompt, including predeclared names
	folder      *scriptFolder       // of the running script
	globalRefs  globalRefs          // of everything that has run
	args        arguments
	running     atomic.Pointer[runLimits] // of the last run
	stdinUsed   atomic.Pointer[error]     // why standard input cannot be read any more; nil: it can
	failures    atomic.Int64              // of engines that were retried
}

// New returns an environment. The caller must close it.
func New(o Options) *Env {
	o.Engine = cmp.Or(o.Engine, embeddedEngine)
	o.Jobs = cmp.Or(o.Jobs, runtime.GOMAXPROCS(0))
	e := &Env{opts: o, games: newCatalog(o.Games), folder: &scriptFolder{}}
	e.console = &console{out: o.Stdout, err: o.Stderr, drawing: o.Progress}
	e.scope = newScope(e)
	e.predeclared = e.names()
	e.globals = maps.Clone(e.predeclared)
	e.setArgs(nil)
	return e
}

func (e *Env) names() starlark.StringDict {
	names := starlark.StringDict{
		"json":   jsonModule(),
		"math":   math.Module,
		"struct": starlark.NewBuiltin("struct", starlarkstruct.Make),
		"time":   startime.Module,
	}
	for _, m := range functions(e.games) {
		names[m.name] = m.builtin
	}
	if e.opts.Shell != nil {
		names["session"] = &engineValue{env: e, scope: e.scope, hints: 1}
		names[shellFunction.name] = shellFunction.builtin
	}
	return names
}

func runtimeFunctions(g *catalog) []*member {
	return []*member{
		engineFunction(g), pmapFunction, positionsFunction(g), gamesFunction(g), exploreFunction, linesFunction, readCSVFunction, progressFunction,
		emitFunction, logFunction, writeFunction, saveGamesFunction, saveCSVFunction, flagFunction,
	}
}

// Close closes the engines that scripts have left open. If ctx has ended, they are killed instead
// of asked to quit.
func (e *Env) Close(ctx context.Context) {
	e.engines.mu.Lock()
	open := slices.DeleteFunc(slices.Clone(e.engines.open), func(s *runningEngine) bool { return s.session == nil })
	e.engines.mu.Unlock()
	e.engines.closeAll(ctx, open)
}
