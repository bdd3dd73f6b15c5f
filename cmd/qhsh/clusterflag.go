package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"strings"

	"qhsh/pluginclient/attach"
	"qhsh/pluginclient/task/batch"
	"qhsh/pluginclient/task/batch/cache"
	"qhsh/pluginclient/task/batch/store"
	"qhsh/pluginclient/task/cluster"
	"qhsh/pluginclient/task/cluster/job"
	"qhsh/pluginclient/task/hints"
	"qhsh/pluginclient/task/match"
	"qhsh/pluginclient/task/output"
)

// clusterFlag is -cluster, the flag of commands whose work other machines can do.
type clusterFlag struct {
	url string
	*job.Coordinator
}

func (f *clusterFlag) define(fs *flag.FlagSet) {
	fs.StringVar(&f.url, "cluster", "", "have the workers of the cluster at `URL` do the work, see 'qhsh help work'")
}

// join connects a run to the cluster of -cluster, if given: the names of engines are then those of the
// workers. what names the run.
func (f *clusterFlag) join(ctx context.Context, r *engineRun, what []string) error {
	flags := r.flags
	if !flags.given("cluster") {
		return nil
	}
	if local := firstSet(flags.set, "jobs", "trace", "keep-traces", "endings"); local != "" {
		return usagef("-%s is for what runs on this machine: leave it out with -cluster", local)
	}
	client, err := connect(ctx, f.url, "qhsh "+flags.set.Name(), r.options.Warn)
	if err != nil {
		return err
	}
	f.Coordinator = &job.Coordinator{
		Client: client, Title: batch.Excerpt(strings.Join(append([]string{flags.set.Name()}, what...), " ")), Host: r.h.Hostname, Build: buildID(), Warn: r.options.Warn,
	}
	r.cluster = f
	err = f.Find(ctx)
	r.options.Names, r.options.Elsewhere = f.Names(), true
	return err
}

func connect(ctx context.Context, url, name string, warn func(string)) (*cluster.Client, error) {
	client, err := cluster.Connect(ctx, url, name, cluster.Options{Warn: warn})
	if err != nil {
		err = fmt.Errorf("-cluster: %w", err)
	}
	if errors.As(err, new(*fs.PathError)) { // a file that the URL names
		err = usageError{err}
	}
	return client, err
}

// An asker answers positions: the engines of this process, or the workers of a cluster.
type asker interface {
	batch.Asker
	Deeper() batch.Asker
	Restarts() int
	Close() error
}

// newAsker returns the workers of the cluster, or without -cluster a pool of engines.
func (f *clusterFlag) newAsker(ctx context.Context, e *attach.Engine, o batch.PoolOptions) (asker, error) {
	if f.Coordinator == nil {
		return batch.NewPool(ctx, o)
	}
	return f.NewAsker(ctx, job.AskerOptions{
		Engine: e, Open: o.Open, Level: e.Options.Level,
		Limits: o.Limits, Deeper: o.Deeper, Restart: o.Restart, History: o.History, Deadlines: e.Options.Deadlines,
	})
}

// newTable returns the workers of the cluster for games between engines; nil without -cluster.
func (f *clusterFlag) newTable(ctx context.Context, run *engineRun, config *match.Config) (*job.Table, error) {
	if f.Coordinator == nil {
		return nil, nil
	}
	return f.NewTable(ctx, config, run.engines, run.options.Deadlines)
}

// workersOf returns what tells the number of workers behind an asker; nil if it has none.
func workersOf(a asker) func() int {
	if remote, ok := a.(*job.Asker); ok {
		return countWorkers(remote.Run)
	}
	return nil
}

func countWorkers(r *cluster.Run) func() int { return func() int { return len(r.Workers()) } }

// cacheFlag is -cache, a file that keeps answers of engines between runs.
type cacheFlag struct {
	path    string
	refresh bool
}

func (f *cacheFlag) define(fs *flag.FlagSet) {
	writesFile(fs, &f.path, "cache", "look up answers in `FILE`, and store new ones there")
	fs.BoolVar(&f.refresh, "refresh", false, "with -cache, ask the engine again, and replace what is stored")
}

// kept returns the file with those that SQLite keeps beside it.
func (f *cacheFlag) kept() keptFile {
	return keptFile{output.WrittenFile("-cache", f.path), store.Siblings(f.path, false)}
}

// engineTerms returns everything that the answers of an asker depend on besides the position. compared
// reports whether another run may look at them: without it, the engine's files are not read.
func engineTerms(e *attach.Engine, pool asker, lines int, restart, compared bool) (terms hints.Engine, err error) {
	who := pool.Identity()
	terms = hints.Engine{Spec: e.Spec, Evaluation: e.Evaluation, Name: who.Engine, Limits: who.Limits, Lines: lines, Restart: restart}
	if remote, ok := pool.(*job.Asker); ok {
		terms.Files = remote.Files
	}
	if terms.Files == nil && compared {
		terms.Files, err = hints.Fingerprints(e.Files())
	}
	return terms, err
}

// A cacheable is an asker whose answers depend only on terms and the position.
type cacheable struct {
	batch.Asker
	terms string
}

// wrap puts the cache, if there is one, in front of askers. A damaged one is a warning.
func (f *cacheFlag) wrap(ctx context.Context, warn func(string), askers ...cacheable) (fronts []batch.Asker, closing func() error, err error) {
	if f.refresh && f.path == "" {
		return nil, nil, usagef("-refresh requires -cache")
	}
	closing = func() error { return nil }
	var known *cache.Cache
	if f.path != "" {
		if known, err = cache.Open(ctx, f.path); err == nil {
			closing = known.Close
		}
	}
	for _, a := range askers {
		if known == nil {
			fronts = append(fronts, a.Asker)
			continue
		}
		var front *cache.Asker
		if front, err = known.Wrap(ctx, a.Asker, a.terms, f.refresh, warn); err != nil {
			err = errors.Join(fmt.Errorf("%s: %w", f.path, err), closing())
			break
		}
		fronts = append(fronts, front)
		closeRest := closing
		closing = func() error { return errors.Join(front.Close(), closeRest()) }
	}
	if errors.Is(err, cache.ErrDamaged) {
		warn(fmt.Sprintf("-cache: %v: continuing without the cache; remove the file, or name another", err))
		return (&cacheFlag{}).wrap(ctx, warn, askers...)
	}
	if err != nil {
		return nil, nil, usagef("-cache: %w: name another file", err)
	}
	return fronts, closing, nil
}
