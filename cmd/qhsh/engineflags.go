package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"qhsh/engine"
	"qhsh/pluginclient"
	"qhsh/pluginclient/attach"
	"qhsh/pluginclient/task/output"
)

// engineFlags are the flags of every command that asks an engine.
type engineFlags struct {
	limitFlags
	spec      string
	trace     string
	profile   string // of -cpuprofile, if the command has it
	deadlines pluginclient.Deadlines
}

// limitFlags are the limits of every search.
type limitFlags struct {
	level        *int
	timeout      time.Duration
	nodes, depth int
}

// Upper bounds of the limits of a search: larger numbers are typing errors.
const (
	maxNodes = 1 << 40
	maxDepth = 1000
)

// defineCounts defines the flags for limits on nodes and depth. The name of the latter is depth.
func (f *limitFlags) defineCounts(fs *flag.FlagSet, depth string) {
	fs.Var(optionalCount{countValue{&f.nodes, maxNodes}}, "nodes", "make the engine answer after `N` nodes")
	fs.Var(optionalCount{countValue{&f.depth, maxDepth}}, depth, "make the engine answer after `N` plies of depth")
}

// defineLimits defines the flags of every command whose engines search.
func (f *limitFlags) defineLimits(fs *flag.FlagSet) {
	fs.Var(numberValue{&f.level}, "level", "play at level `N`; without it at the engine's own")
	fs.Var(durationValue{&f.timeout}, "timeout", "make the engine answer after `TIME`, such as 500ms")
}

// searchLimits returns the limits that were given, for searches of so many lines.
func (f *limitFlags) searchLimits(lines int) engine.Limits {
	lim := engine.Limits{Nodes: int64(f.nodes), Depth: f.depth, Time: f.timeout, Lines: lines}
	if f.level != nil {
		lim.Level = *f.level
	}
	return lim
}

func (f *engineFlags) define(fs *flag.FlagSet) {
	f.deadlines = pluginclient.DefaultDeadlines()
	fs.StringVar(&f.spec, "engine", "builtin", "ask the engine of this `SPEC`, see 'qhsh help engines'")
	f.defineLimits(fs)
	fs.StringVar(&f.trace, "trace", "", "write the whole conversation to `FILE`")
	for _, w := range f.deadlines.Fields() {
		fs.Var(durationValue{w.Value}, "wait-"+w.Name, "wait `TIME` "+w.For)
	}
}

// gameOf returns the game that the engine plays.
func (f *engineFlags) gameOf(ctx context.Context, h host) (engine.Game, error) {
	names, err := engineNames(h)
	if err != nil {
		return nil, err
	}
	o := h.attachOptions(names)
	o.Limits, o.Deadlines = f.supportedLimits(), f.deadlines
	return attach.Game(ctx, f.spec, o)
}

// supportedLimits returns the limits that some engines do not support. The level is not among
// them: whether an engine has it is known only after its start.
func (f *limitFlags) supportedLimits() engine.Limits {
	lim := f.searchLimits(0)
	lim.Level = 0
	return lim
}

// kinds returns the kinds of engines that a SPEC can start with.
func (h host) kinds() attach.Kinds {
	if !h.Kinds.IsEmpty() {
		return h.Kinds
	}
	return attach.DefaultKinds(h.Games)
}

// attachOptions returns the options for reading a SPEC, with the names of engines.json.
func (h host) attachOptions(names map[string]string) attach.Options {
	return attach.Options{Games: h.Games, Kinds: h.kinds(), Names: names, Elsewhere: h.EngineNames != nil}
}

// engineNames returns the names of engines.json, or those that replace them.
func engineNames(h host) (map[string]string, error) {
	if h.EngineNames != nil {
		return h.EngineNames, nil
	}
	if h.ConfigDir == "" {
		return nil, nil
	}
	names, err := h.kinds().LoadNames(engineNamesPath(h))
	if err != nil {
		return nil, usageError{err}
	}
	return names, nil
}

// engineNamesPath returns the path of engines.json, or "" if there is no configuration folder.
func engineNamesPath(h host) string {
	if h.ConfigDir == "" {
		return ""
	}
	return filepath.Join(h.ConfigDir, "engines.json")
}

// defineEngines defines the flags that suit a command with several engines.
func (f *engineFlags) defineEngines(fs *flag.FlagSet) {
	all := flag.NewFlagSet("", flag.ContinueOnError)
	f.define(all)
	all.VisitAll(func(one *flag.Flag) {
		if one.Name == "trace" || strings.HasPrefix(one.Name, "wait-") {
			fs.Var(one.Value, one.Name, one.Usage)
		}
	})
}

// An opener opens engines according to the flags.
type opener struct {
	spec    string
	options attach.Options
	level   *int         // of -level, if the command has one engine; may be nil
	file    *output.File // of the trace; nil without -trace
	log     *pluginclient.TraceLog
	profile *cpuProfile
	judged  *judgements // nil if the caller reports them
}

// withOutputs returns others and the files of -trace and -cpuprofile.
func (f *engineFlags) withOutputs(others ...output.FileUse) []output.FileUse {
	return append(others, output.WrittenFile("-trace", f.trace), output.WrittenFile("-"+profileFlag, f.profile))
}

// opener reads engines.json, opens the trace file, which must not be one of reads, and starts the
// profile. The caller must close the opener.
func (f *engineFlags) opener(ctx context.Context, h host, warn func(string), reads ...output.FileUse) (*opener, error) {
	names, err := engineNames(h)
	if err != nil {
		return nil, err
	}
	o := &opener{spec: f.spec, options: h.attachOptions(names), level: f.level}
	o.options.Deadlines, o.options.Warn, o.options.Level, o.options.Version = f.deadlines, warn, f.level, version
	o.options.Limits = f.supportedLimits()
	if warn != nil {
		o.judged = &judgements{say: warn}
		o.options.Judged = o.judged.add
	}
	if f.trace == "" && f.profile == "" {
		return o, nil
	}
	engines, err := engineFiles(h, f.spec)
	if err != nil {
		return nil, err
	}
	if err := refuseShared(slices.Concat(reads, engines, output.Inputs(output.Stat(h.Stdin)), f.withOutputs())...); err != nil {
		return nil, err
	}
	if err := o.openTrace(ctx, f.trace); err != nil {
		return nil, err
	}
	if o.profile, err = startProfile(ctx, f.profile); err != nil {
		return nil, errors.Join(err, o.Close())
	}
	return o, nil
}

// openTrace opens the file of -trace, if given.
func (o *opener) openTrace(ctx context.Context, path string) error {
	if path == "" {
		return nil
	}
	file, err := openFlag(ctx, "-trace", path)
	if err != nil {
		return err
	}
	o.file, o.log = file, pluginclient.NewTraceLog(file)
	o.options.Log = o.log
	return nil
}

// refuseOther makes sure that the trace replaces only a trace, and the profile only a profile. It
// is for commands whose scripts choose the files that they read while they run. The existing files
// have not been changed yet.
func (o *opener) refuseOther() error {
	err := refuseOther(o.file, "trace", pluginclient.IsTrace)
	if err == nil && o.profile != nil {
		err = refuseOther(o.profile.file, "profile", func(path string) (bool, error) { return output.HasPrefix(path, gzipMagic) })
	}
	return err
}

// refuseOther returns an error if the output exists and is not of the given kind.
func refuseOther(file *output.File, kind string, is func(path string) (bool, error)) error {
	if file == nil || !output.IsRegular(file.Info()) || file.Info().Size() == 0 {
		return nil
	}
	switch is, err := is(file.Path()); {
	case err != nil:
		return usagef("%s: %w", file.Name(), err)
	case !is:
		return usagef("%s: not a %s: name another file", file.Name(), kind)
	}
	return nil
}

// Open starts an engine.
func (o *opener) Open(ctx context.Context) (pluginclient.Session, error) {
	s, err := attach.Open(ctx, o.spec, o.options)
	if wrong := (*attach.LevelError)(nil); o.level != nil && errors.As(err, &wrong) {
		err = fmt.Errorf("-level: %w", err)
	}
	return s, err
}

// A namedOpener opens engines that are called by a name in the trace, with a number from the second
// one on.
type namedOpener struct {
	*opener
	name   string
	opened atomic.Int64
}

// Open starts an engine.
func (n *namedOpener) Open(ctx context.Context) (pluginclient.Session, error) {
	s, err := n.opener.Open(ctx)
	if err != nil {
		return nil, err
	}
	name := n.name
	if count := n.opened.Add(1); count > 1 {
		name = fmt.Sprintf("%s#%d", name, count)
	}
	pluginclient.Rename(s, name)
	return s, nil
}

// Close ends the trace and the profile. It returns the errors of their files.
func (o *opener) Close() error {
	if o.judged != nil {
		o.judged.end()
	}
	err := o.profile.stop()
	if o.file == nil {
		return err
	}
	if logErr := o.log.End(); logErr != nil {
		err = errors.Join(err, fmt.Errorf("%s: %w", o.file.Name(), logErr))
	}
	return errors.Join(err, o.file.Close())
}
