// Package script is the Starlark environment of qhsh: programs that work with positions
// and engines.
//
// # Values
//
// A script works with boards, scores, hints, trees and engines, whose names follow
// python-chess where it has one. Each kind of value is a [class]: a table of members with
// a Python-stub signature and a doc text, from which the interpreter finds attributes,
// help(x) its texts, API.md its tables and editors their stubs. Functions that belong to
// no class are members too. A move is a plain string in ICCS, such as "H2-E2".
//
// # Running
//
// An [Env] is made with [Options] and runs files ([Env.RunFile]), lines of a prompt
// ([Env.Chunk]) and functions that are commands of the shell ([Env.Call]). A script runs
// from top to bottom; no function is called by itself. What it prints and emits is data
// and goes to Options.Stdout, what it logs to Options.Stderr.
//
// A thread of the interpreter knows the [task] that it works on: its context, its bounds,
// the engines that it may use and where its output goes. pmap runs functions in threads
// of their own. They share nothing that can change: the items, the function and what it
// reaches are frozen first ([mentions] knows which globals that is). Each worker has
// engines of its own ([scope]), and what an item writes is kept until the items before it
// have written. So the result does not depend on how many workers there are.
//
// # Bounds
//
// A script is somebody else's program. It reads what the command line names, files of its
// own folder, and nothing else; it writes below one folder; it starts the engines that the
// command line names; it has no network. Its steps, its time and its memory are limited
// ([Limits]), and it ends at once with its context.
//
//   - Steps are taken from one pool in chunks. The same callback bounds how deep calls are
//     nested.
//   - The heap is looked at every few milliseconds. Above the limit the script is stopped.
//   - What could make one value too large at once asks first whether there is room. The
//     program is rewritten for that before it is compiled: x * y becomes a call, and so
//     does x.join ([rewrite]). Nothing is evaluated twice, or in another order.
//   - A stopped thread ends at its next step. A function of Go's cannot be broken off, and
//     str of very large data may last; after a moment the run ends without it
//     ([ErrAbandoned]). A program that can end its process should do so then.
//   - Deeply nested data makes some functions of the interpreter go as deep, such as the
//     hash of a tuple. The stacks are watched like the heap, and end the script before Go
//     ends the process. A program should raise debug.SetMaxStack, so that there is time.
//
// # Rooms
//
// The language's side: script.go the environment, run.go and load.go running and modules,
// thread.go, bounds.go, guard.go, rewrite.go and ranges.go the bounds, failure.go the
// errors. The values: class.go, catalog.go, board.go, game.go with annotate.go, score.go, hint.go, treevalue.go, engine.go with
// seats.go. The functions: pmap.go with freeze.go and mentions.go, output.go, positions.go,
// games.go, arguments.go, progress.go, table.go, help.go. The texts: doc.go. Below library/ are modules that
// every script can load.
package script

import (
	"context"
	"io"
	"maps"
	"os"
	"runtime"
	"sync"
	"sync/atomic"

	"go.starlark.net/lib/math"
	startime "go.starlark.net/lib/time"
	"go.starlark.net/starlark"
	"go.starlark.net/starlarkstruct"

	"qhsh/engine"
	"qhsh/engine/games"
	"qhsh/pluginclient"
)

// Options say what a script may use. With Games alone it can compute and print, but has no
// engine.
type Options struct {
	// Open starts the engine of a SPEC.
	Open func(ctx context.Context, spec string, o EngineOptions) (pluginclient.Session, error)
	// Engine is the SPEC of engine() without one; empty: "builtin".
	Engine string
	// Embedded reports whether a SPEC is that of an engine of this program, and how many MiB it
	// gives to its table, 0 if it does not say; nil: none is.
	Embedded func(spec string) (memory int, ok bool)
	// Allowed are further SPECs that a script may name. Engine and the embedded engines
	// may always be named.
	Allowed []string
	Permit  func(spec string) bool // tells of further ones, whenever it is asked; nil: there are none
	Level   *int                   // of Engine, where the script names none; nil: the engine's own
	Search  engine.Limits          // of Engine, where the script names none; Time is of all engines
	Jobs    int                    // of pmap, where the script names none; 0: as many as there are processors

	Games  games.Table // what boards may be of; there is at least one
	Limits Limits

	Stdin          io.Reader // positions("-") reads it; nil: nothing
	Stdout, Stderr io.Writer // data, and what is said to a person; nil: nowhere
	Progress       bool      // Stderr is a terminal, and progress() may draw on it
	Folder         string    // load and positions look here for what a prompt's lines name; empty: nowhere
	Out            *os.Root  // write() writes below it; nil: nowhere
	Shell          Shell     // nil outside the shell
}

// EngineOptions are what a script wants of an engine besides its SPEC.
type EngineOptions struct {
	Level  *int          // nil: the engine's own
	Limits engine.Limits // of its searches; an engine that cannot be given them is not started
}

// A Shell is the shell as a script sees it. The value session is the engine that it is
// attached to, and shell(line) runs a line.
type Shell interface {
	// Session returns the attached engine and the SPEC by which another one like it can be
	// opened. It is nil while there is none.
	Session() (s pluginclient.Session, spec string)
	// Run runs a line as if it had been typed, and answers what the shell would show.
	Run(ctx context.Context, line string) (string, error)
}

// An Env is where scripts run. One goroutine at a time may use it.
type Env struct {
	opts        Options
	games       *catalog
	console     *console
	scope       *scope // of everything outside pmap
	engines     engines
	predeclared starlark.StringDict
	globals     starlark.StringDict // of the prompt, with what is predeclared
	folder      *scriptFolder       // of the script that runs
	globalRefs  globalRefs          // of everything that has run
	args        arguments
	running     atomic.Pointer[runLimits] // of the latest run
	stdin       sync.Mutex                // held by who reads it
	stdinUsed   error                     // why standard input cannot be read any more
	failures    atomic.Int64              // of engines that were asked again
}

// New makes an environment. The caller closes it.
func New(o Options) *Env {
	if o.Engine == "" {
		o.Engine = embeddedEngine
	}
	if o.Jobs == 0 {
		o.Jobs = runtime.GOMAXPROCS(0)
	}
	e := &Env{opts: o, games: newCatalog(o.Games), console: newConsole(o.Stdout, o.Stderr, o.Progress), folder: &scriptFolder{}}
	e.scope = newScope(e)
	e.predeclared = e.names()
	e.globals = maps.Clone(e.predeclared)
	e.setArgs(nil)
	return e
}

// names returns what a script finds without having defined it.
func (e *Env) names() starlark.StringDict {
	names := starlark.StringDict{
		"json":   jsonModule(),
		"math":   math.Module,
		"struct": starlark.NewBuiltin("struct", starlarkstruct.Make),
		"time":   startime.Module,
	}
	maps.Copy(names, guardBuiltins())
	maps.Copy(names, guardedFunctions())
	for _, list := range [][]member{valueFunctions(e.games), runtimeFunctions(e.games)} {
		for _, m := range list {
			names[m.name] = m.builtin
		}
	}
	if e.opts.Shell != nil {
		names["session"] = newAttached(e)
		names[shellFunction.name] = shellFunction.builtin
	}
	return names
}

// runtimeFunctions returns the functions that have to do with the world outside the script.
func runtimeFunctions(g *catalog) []member {
	return []member{
		engineFunction(g), pmapFunction, positionsFunction(g), gamesFunction(g), linesFunction, progressFunction,
		emitFunction, logFunction, writeFunction, saveGamesFunction, flagFunction,
	}
}

// Close ends the engines that scripts have opened and left open. If ctx has ended, they
// are not asked to quit but ended at once.
func (e *Env) Close(ctx context.Context) { e.engines.closeAll(ctx) }

// runtimeClasses returns the kinds of values that these functions answer.
func runtimeClasses() []*class { return []*class{engineClass, infoClass} }
