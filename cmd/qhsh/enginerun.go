package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"runtime/pprof"
	"slices"
	"sync"
	"sync/atomic"

	"qhsh/engine"
	"qhsh/pluginclient"
	"qhsh/pluginclient/attach"
	"qhsh/pluginclient/task/output"
)

// An engineRun is a run of a command that asks engines. It reads engines.json, parses every SPEC once,
// refuses files that are used twice, and opens and closes what the flags name.
type engineRun struct {
	h       host
	flags   *engineFlags
	options attach.Options   // of every engine
	engines []*attach.Engine // that have been parsed
	cluster *clusterFlag     // nil: engines run in this process

	progress *progress    // nil: the command has no -progress
	file     *output.File // of -trace; nil: none
	log      *pluginclient.TraceLog
	profile  *cpuProfile
	judged   *judgements // nil if the caller reports them
}

// begin reads engines.json. say tells the user what an engine does; nil: the caller sees to that. The
// caller must close the run.
func (f *engineFlags) begin(h host, say func(string)) (*engineRun, error) {
	names, err := engineNames(h)
	if err != nil {
		return nil, err
	}
	r := &engineRun{h: h, flags: f, options: h.attachOptions(names)}
	r.options.Deadlines, r.options.Warn, r.options.Level = f.deadlines, say, f.level
	r.options.Limits = f.searchLimits(0)
	r.options.Limits.Level = 0 // whether an engine has it is known only after its start
	if say != nil {
		r.judged = &judgements{say: say}
		r.options.Judged = r.judged.add
	}
	return r, nil
}

// beginWith begins a run whose progress goes to p, in the cluster if there is one. what names the run.
func (f *engineFlags) beginWith(ctx context.Context, h host, p *progress, c *clusterFlag, what []string) (*engineRun, error) {
	r, err := f.begin(h, p.say)
	if err != nil {
		return nil, err
	}
	r.progress = p
	if c != nil {
		err = c.join(ctx, r, what)
	}
	if err != nil {
		r.end(ctx, &err)
	}
	return r, err
}

// beginOne is beginWith for a command that asks the engine of -engine, which plays a game.
func (f *engineFlags) beginOne(ctx context.Context, h host, p *progress, c *clusterFlag, what []string) (r *engineRun, e *attach.Engine, game engine.Game, err error) {
	if r, err = f.beginWith(ctx, h, p, c, what); err != nil {
		return nil, nil, nil, err
	}
	if e, err = r.parse(f.spec); err == nil {
		game, err = e.FindGame(ctx)
	}
	if err != nil {
		r.end(ctx, &err)
	}
	return r, e, game, err
}

// parse parses a SPEC, see [attach.Parse]. The workers of the cluster, if there is one, must be allowed to
// have its engine.
func (r *engineRun) parse(spec string) (*attach.Engine, error) {
	e, err := attach.Parse(spec, r.options)
	if limits := (*engine.LimitError)(nil); r.cluster != nil && (err == nil || errors.As(err, &limits)) {
		if elsewhere := r.cluster.Check(e); elsewhere != nil {
			return nil, elsewhere
		}
	}
	if err == nil {
		r.engines = append(r.engines, e)
	}
	return e, err
}

// openFiles opens the files of -trace, -cpuprofile and -progress, after making sure that no file of the
// command line is written twice, or both read and written. Besides those of flags they are reads, and
// those that running the engines reads: engines.json, their programs, and what their options name.
func (r *engineRun) openFiles(ctx context.Context, reads []output.FileUse, kept ...keptFile) (err error) {
	paths := []string{engineNamesPath(r.h)}
	for _, e := range r.engines {
		paths = append(append(paths, e.Files()...), e.Reads...)
	}
	files := slices.Concat(r.h.usedFiles(r.flags.set), reads, output.InputsAt(paths...), output.Inputs(output.Stat(r.h.Stdin)))
	if err := refuseShared(files, kept...); err != nil {
		return err
	}
	if r.flags.trace != "" {
		if r.file, err = openFlag(ctx, "-trace", r.flags.trace); err != nil {
			return err
		}
		r.log = pluginclient.NewTraceLog(r.file)
		r.options.Log = r.log
		for _, e := range r.engines {
			e.Options.Log = r.log
		}
	}
	if r.profile, err = startProfile(ctx, r.flags.profile); err != nil {
		return err
	}
	if r.progress != nil {
		err = r.progress.open(ctx, r.h, r.flags.progressTo)
	}
	return err
}

// openForScripts is openFiles for a command whose scripts choose the files that they read while they run,
// and whether -engine is started. It also makes sure that the trace replaces only a trace, and the profile
// only a profile: the existing files have not been changed yet.
func (r *engineRun) openForScripts(ctx context.Context, reads []output.FileUse) error {
	_, _ = r.parse(r.flags.spec) // for its files; opening it says what is wrong
	err := r.openFiles(ctx, reads)
	if err == nil {
		err = refuseOther(r.file, "trace", pluginclient.IsTrace)
	}
	if err == nil && r.profile != nil {
		err = refuseOther(r.profile.file, "profile", func(path string) (bool, error) { return output.HasPrefix(path, gzipMagic) })
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

func (r *engineRun) open(e *attach.Engine) func(context.Context) (pluginclient.Session, error) {
	return func(ctx context.Context) (pluginclient.Session, error) {
		s, err := e.Open(ctx)
		if wrong := (*attach.LevelError)(nil); r.flags.level != nil && errors.As(err, &wrong) {
			err = fmt.Errorf("-level: %w", err)
		}
		return s, err
	}
}

// openNamed is open for an engine that is called by a name in the trace, with a number from the second
// one on.
func (r *engineRun) openNamed(e *attach.Engine, name string) func(context.Context) (pluginclient.Session, error) {
	var opened atomic.Int64
	open := r.open(e)
	return func(ctx context.Context) (pluginclient.Session, error) {
		s, err := open(ctx)
		if err != nil {
			return nil, err
		}
		if count := opened.Add(1); count > 1 {
			pluginclient.Rename(s, fmt.Sprintf("%s#%d", name, count))
		} else {
			pluginclient.Rename(s, name)
		}
		return s, nil
	}
}

// end closes the run at the end of a command that returns *err, which becomes the error of closing if
// there was no other.
func (r *engineRun) end(ctx context.Context, err *error) {
	if r.progress != nil {
		closeInto(err, func() error { return r.progress.close(ctx, *err) })
	}
	closeInto(err, func() error {
		if r.judged != nil {
			r.judged.end()
		}
		failed := r.profile.stop()
		if r.file == nil {
			return failed
		}
		if logErr := r.log.End(); logErr != nil {
			failed = errors.Join(failed, fmt.Errorf("%s: %w", r.file.Name(), logErr))
		}
		return errors.Join(failed, r.file.Close())
	})
	if r.cluster != nil {
		r.cluster.Client.Close()
	}
}

// closeInto closes something at the end of a command. It stores the error of closing in err if
// there was no other error.
func closeInto(err *error, closing func() error) {
	if closeErr := closing(); closeErr != nil && isComplete(*err) {
		*err = closeErr
	}
}

// judgements tell a person what engines are seen to do against their protocol: of each kind the
// first, with the position, and at the end how often. Engines are asked from several goroutines.
type judgements struct {
	say func(string)

	mu    sync.Mutex
	tally pluginclient.Tally
	ended bool
}

// add takes in a judgement. One that comes after the end is not told: engines that do not quit are
// not waited for long when a person has interrupted.
func (j *judgements) add(found pluginclient.Judgement) {
	j.mu.Lock()
	first := !j.ended && j.tally.Add(found)
	j.mu.Unlock()
	if !first {
		return
	}
	text := found.String()
	if found.At != "" {
		text += " at " + found.At
	}
	j.say(text)
}

// end tells how often each kind has come that came more than once.
func (j *judgements) end() {
	j.mu.Lock()
	j.ended = true
	lines := j.tally.Repeated()
	j.mu.Unlock()
	for _, line := range lines {
		j.say(line)
	}
}

// defineProfile defines -cpuprofile, for commands with much computation. Those who work on qhsh itself need it.
func (f *engineFlags) defineProfile(fs *flag.FlagSet) {
	writesFile(fs, &f.profile, profileFlag, unlisted)
}

const profileFlag = "cpuprofile"

const gzipMagic = "\x1f\x8b"

// A cpuProfile is a running profile. A nil *cpuProfile does nothing.
type cpuProfile struct {
	file *output.File
	to   output.StickyStream // the file; package pprof ignores errors
}

// startProfile opens the file of -cpuprofile and starts the profile. It returns nil if path is "".
func startProfile(ctx context.Context, path string) (*cpuProfile, error) {
	if path == "" {
		return nil, nil
	}
	file, err := openFlag(ctx, "-"+profileFlag, path)
	if err != nil {
		return nil, err
	}
	p := &cpuProfile{file: file, to: output.StickyStream{Stream: output.Stream{Writer: file}}}
	if err := pprof.StartCPUProfile(&p.to); err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", file.Name(), err), file.Close())
	}
	return p, nil
}

func (p *cpuProfile) stop() error {
	if p == nil {
		return nil
	}
	pprof.StopCPUProfile()
	err := p.to.Err()
	if err != nil {
		err = fmt.Errorf("%s: %w", p.file.Name(), err)
	}
	return errors.Join(err, p.file.Close())
}
