package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"

	"qhsh/engine/games"
	"qhsh/pluginclient"
	"qhsh/pluginclient/attach"
	"qhsh/pluginclient/task/output"
	"qhsh/script"
)

// maxStack is the largest stack size in bytes that Go accepts. The watchdog of a script ends the
// script long before that.
const maxStack = 2_000_000_000

// gcPercent makes garbage collection less frequent than by default, as scripts produce much
// garbage and collecting it takes processor time from the script.
const gcPercent = 400

var runCommand = command{
	name:      "run",
	operands:  "SCRIPT [ARG...]",
	summary:   "run a Starlark program that works with positions and engines",
	endsFlags: true,
	help:      withoutHead(script.Guide),
	complete:  scriptAndArguments,
	setup:     defined[scriptAction],
}

type scriptAction struct {
	engineFlags
	scriptFlags
	stubs bool
}

// scriptFlags are the flags that say what a script may use.
type scriptFlags struct {
	allowed []string
	out     string
	limits  script.Limits
	jobs    int
}

func (f *scriptFlags) define(fs *flag.FlagSet) {
	f.limits.Memory = script.DefaultMemory
	fs.Var(list(&f.allowed), "allow-engine", "let the script start the engine of this `SPEC` too; may be repeated")
	fs.StringVar(&f.out, "out", "", "let the script write files below this `DIR`, which is created if necessary")
	fs.Var(optionalCount(&f.jobs, maxJobs), "jobs", "let pmap work on `N` items at the same time; by default one per processor")
	fs.Var(parsed(&f.limits.Steps, func(text string) (int64, error) {
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil || n < 1 {
			return 0, errors.New("want a number of at least 1")
		}
		return n, nil
	}), "max-steps", "end the script after `N` steps of the interpreter")
	fs.Var(duration(&f.limits.Time), "max-time", "end the script after `TIME`, such as 10s")
	fs.Var(parsed(&f.limits.Memory, parseSize).by(formatSize(f.limits.Memory)), "max-memory", "end the script when it holds more than `SIZE`, such as 200MiB")
}

// options returns the options of scripts. The caller must close the folder of -out if it is not
// nil.
func (f *scriptFlags) options(h host) (script.Options, error) {
	embedded := func(spec string, e script.EngineOptions) (memory int, ok bool) {
		o := h.attachOptions(nil)
		o.File = e.File
		parsed, _ := attach.Parse(spec, o) // opening it says what is wrong
		return parsed.Memory, parsed.Embedded && !parsed.Network
	}
	o := script.Options{Embedded: embedded, Allowed: f.allowed, Jobs: f.jobs, Limits: f.limits}
	if f.out == "" {
		return o, nil
	}
	err := os.MkdirAll(f.out, 0o777)
	if err == nil {
		o.Out, err = os.OpenRoot(f.out)
	}
	if err != nil {
		return o, usagef("-out: %w", err)
	}
	return o, nil
}

func (c *scriptAction) define(fs *flag.FlagSet, _ games.Table) {
	c.scriptFlags.define(fs)
	fs.BoolVar(&c.stubs, "pyi", false, "print Python stubs, with which editors complete names, and exit")
	c.engineFlags.define(fs)
	c.defineProfile(fs)
	c.defineCounts(fs, "depth")
}

func (c *scriptAction) run(ctx context.Context, h host, operands []string) (err error) {
	if c.stubs {
		_, err := io.WriteString(h.Stdout, script.Stubs(h.Games))
		return err
	}
	if len(operands) == 0 {
		return usagef("missing script, as in 'qhsh run best.star positions.fen'")
	}
	if h.Confine != nil {
		end, err := h.Confine(ctx, c.limits.Memory, c.jobs)
		switch {
		case err != nil:
			return err
		case end != nil && end.OutOfMemory:
			return script.OutOfMemory(operands[0], c.limits.Memory)
		case end != nil && end.Status != exitOK:
			return exitError{end.Status}
		case end != nil:
			return nil
		}
	}
	o, err := c.options(h)
	if err != nil {
		return err
	}
	if o.Out != nil {
		defer o.Out.Close()
	}
	p := newProgress("run", h, false)
	run, err := c.begin(h, func(text string) {
		if ctx.Err() == nil { // no warnings about an engine that is stopped while it starts
			p.say(text)
		}
	})
	if err != nil {
		return err
	}
	defer run.end(ctx, &err)
	if err := run.openForScripts(ctx, output.InputsAt(operands...)); err != nil {
		return err
	}
	debug.SetMaxStack(maxStack)
	if h.Env("GOGC") == "" {
		debug.SetGCPercent(gcPercent)
	}
	o.Games = h.Games
	o.Open, o.Engine, o.Level, o.Search = run.openSpec, c.spec, c.level, c.searchLimits(0)
	o.Stdin, o.Stdout, o.Stderr, o.Progress = h.Stdin, h.Stdout, h.Stderr, h.StderrTTY && !h.StdoutTTY
	env := script.New(o)
	defer env.Close(ctx)
	err = env.RunFile(ctx, operands[0], operands[1:])
	if told := (*script.Error)(nil); errors.As(err, &told) {
		return told.Traced()
	}
	if err != nil { // the script cannot be read
		return usageError{err}
	}
	return nil
}

// openSpec starts an engine other than that of -engine, or with other limits.
func (r *engineRun) openSpec(ctx context.Context, spec string, e script.EngineOptions) (pluginclient.Session, error) {
	options := r.options
	options.Level, options.Limits, options.File = e.Level, e.Limits, e.File
	return attach.Open(ctx, spec, options)
}

// sizeUnits are the units of sizes, each 1024 times the previous one.
var sizeUnits = []string{"B", "KiB", "MiB", "GiB", "TiB"}

// formatSize formats a size in bytes, as in 200MiB.
func formatSize(n int64) string {
	unit := 0
	for n%1024 == 0 && unit < len(sizeUnits)-1 {
		n, unit = n/1024, unit+1
	}
	return fmt.Sprintf("%d%s", n, sizeUnits[unit])
}

// parseSize parses a size in bytes. The B or iB of a unit may be omitted.
func parseSize(text string) (int64, error) {
	number := strings.TrimRight(text, "BKMGTibkmgt")
	n, err := strconv.ParseInt(number, 10, 64)
	unit, factor := text[len(number):], int64(0)
	for i, full := range sizeUnits {
		names := []string{full, full[:1], full[:1] + "B"}
		if i == 0 {
			names = []string{full, ""}
		}
		if slices.ContainsFunc(names, func(name string) bool { return strings.EqualFold(unit, name) }) {
			factor = 1 << (10 * i)
		}
	}
	const least, most = 1 << 20, 1 << 50
	if err != nil || factor == 0 || n < 1 || n > most/factor || n*factor < least {
		return 0, errors.New("want a size of at least 1MiB, such as 200MiB or 2GiB")
	}
	return n * factor, nil
}
