package main

import (
	"context"
	"flag"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"qhsh/engine"
	"qhsh/engine/printable"
	"qhsh/pluginclient"
	"qhsh/pluginclient/attach"
)

// engineFlags are the flags of every command that asks an engine.
type engineFlags struct {
	limitFlags
	set        *flag.FlagSet // of the command
	spec       string
	trace      string
	profile    string // of -cpuprofile, if the command has it
	progressTo string // of -progress, if the command has it
	deadlines  pluginclient.Deadlines
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
	fs.Var(optionalCount(&f.nodes, maxNodes), "nodes", "make the engine answer after `N` nodes")
	fs.Var(optionalCount(&f.depth, maxDepth), depth, "make the engine answer after `N` plies of depth")
}

// defineLimits defines the flags of every command whose engines search.
func (f *limitFlags) defineLimits(fs *flag.FlagSet) {
	fs.Var(optionalNumber(&f.level), "level", "play at level `N`; without it at the engine's own")
	fs.Var(duration(&f.timeout), "timeout", "make the engine answer after `TIME`, such as 500ms")
}

// searchLimits returns the limits that were given, for searches of so many lines.
func (f *limitFlags) searchLimits(lines int) engine.Limits {
	lim := engine.Limits{Nodes: int64(f.nodes), Depth: f.depth, Time: f.timeout, Lines: lines}
	if f.level != nil {
		lim.Level = *f.level
	}
	return lim
}

// given reports whether a flag is on the command line.
func (f *engineFlags) given(name string) bool { return isSet(f.set, name) }

func (f *engineFlags) define(fs *flag.FlagSet) {
	fs.StringVar(&f.spec, "engine", "builtin", "ask the engine of this `SPEC`, see 'qhsh help engines'")
	f.defineLimits(fs)
	f.defineEngines(fs)
}

// defineEngines defines the flags that suit a command with several engines.
func (f *engineFlags) defineEngines(fs *flag.FlagSet) {
	f.deadlines = pluginclient.DefaultDeadlines()
	f.defineTrace(fs)
	fs.Var(waitTimes(&f.deadlines), "wait", "wait so long for engines: `KEY=TIME,...`, see 'qhsh help levels'")
	for _, w := range f.deadlines.Fields() {
		fs.Var(duration(w.Value), "wait-"+w.Name, unlisted) // as they were called before -wait
	}
}

// waitTimes are deadlines such as start=1m,reply=10s.
func waitTimes(d *pluginclient.Deadlines) value {
	var usual []string
	for _, w := range d.Fields() {
		usual = append(usual, w.Name+"="+shortDuration(*w.Value))
	}
	return value{usual: strings.Join(usual, ","), set: func(text string) error {
		for pair := range strings.SplitSeq(text, ",") {
			name, time, _ := strings.Cut(pair, "=")
			i := slices.IndexFunc(d.Fields(), func(w pluginclient.DeadlineField) bool { return w.Name == name })
			if i < 0 {
				return fmt.Errorf("%q: want KEY=TIME with the keys of %s", pair, strings.Join(usual, ","))
			}
			if err := duration(d.Fields()[i].Value).Set(time); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
		}
		return nil
	}}
}

func (f *engineFlags) defineTrace(fs *flag.FlagSet) {
	f.set = fs
	writesFile(fs, &f.trace, "trace", "write the whole conversation to `FILE`")
}

// kinds returns the kinds of engines that a SPEC can start with.
func (h host) kinds() attach.Kinds { return h.Kinds.OrDefault(h.Games) }

// attachOptions returns the options for reading a SPEC, with the names of engines.json.
func (h host) attachOptions(names map[string]string) attach.Options {
	return attach.Options{Games: h.Games, Kinds: h.kinds(), Names: names}
}

// withNames returns h with the names of engines.json, which is read once, and with the games that have a
// referee there. The caller must call closing at the end.
func (h host) withNames(ctx context.Context) (own host, closing func()) {
	if h.names == nil && h.ConfigDir != "" {
		h.names, h.namesErr = h.kinds().LoadNames(engineNamesPath(h))
	}
	all, names, closing, err := attach.WithReferees(ctx, h.Games, h.names, func(text string) { fmt.Fprintf(h.Stderr, "qhsh: %s\n", printable.Line(text)) })
	switch {
	case err != nil:
		h.namesErr = fmt.Errorf("engines: %w", err)
	case len(all.Names()) > len(h.Games.Names()):
		h.Games, h.Kinds, h.names = all, attach.DefaultKinds(all), names
	}
	return h, closing
}

// engineNames returns the names of engines.json.
func engineNames(h host) (map[string]string, error) {
	if h.namesErr != nil {
		return nil, usageError{h.namesErr}
	}
	return h.names, nil
}

// engineNamesPath returns the path of engines.json, or "" if there is no configuration folder.
func engineNamesPath(h host) string {
	if h.ConfigDir == "" {
		return ""
	}
	return filepath.Join(h.ConfigDir, "engines.json")
}

// maxJobs bounds -jobs: a larger number is a typing error.
const maxJobs = 1024

// defineJobs defines -jobs, how much is done at the same time; by default one job.
func defineJobs(fs *flag.FlagSet, jobs *int, usage string) {
	*jobs = 1
	fs.Var(count(jobs, maxJobs), "jobs", usage)
}

// manyEngines is the usage of -jobs of commands that share their positions out among processes of one engine.
const manyEngines = "run `N` engines at the same time"

func defineRestart(fs *flag.FlagSet, restart *bool) {
	fs.BoolVar(restart, "restart", false, "start a new engine process for each position, see 'qhsh help levels'")
}
