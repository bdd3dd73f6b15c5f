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
	"qhsh/pluginclient/task/cluster"
	"qhsh/pluginclient/task/cluster/job"
	"qhsh/pluginclient/task/match"
)

// clusterFlag is -cluster, the flag of commands whose work other machines can do.
type clusterFlag struct {
	url   string
	flags *flag.FlagSet
	*job.Coordinator
}

func (f *clusterFlag) define(fs *flag.FlagSet) {
	f.flags = fs
	fs.StringVar(&f.url, "cluster", "", "have the workers of the cluster at `URL` do the work, see 'qhsh help work'")
}

// localFlags are the flags that do not apply with -cluster: they are about engines of this process.
var localFlags = []string{"jobs", "trace", "keep-traces"}

// join connects a run to the cluster of -cluster, if given: the names of engines are then those of the
// workers. what names the run.
func (f *clusterFlag) join(ctx context.Context, r *engineRun, what []string) error {
	if !isSet(f.flags, "cluster") {
		return nil
	}
	for _, name := range localFlags {
		if isSet(f.flags, name) {
			return usagef("-%s is for engines of this machine: leave it out with -cluster", name)
		}
	}
	client, err := connect(ctx, f.url, "qhsh "+f.flags.Name(), r.options.Warn)
	if err != nil {
		return err
	}
	f.Coordinator = &job.Coordinator{
		Client: client, Title: batch.Excerpt(strings.Join(append([]string{f.flags.Name()}, what...), " ")), Host: r.h.Hostname, Build: buildID(), Warn: r.options.Warn,
	}
	r.leave, r.cluster = client.Close, f
	err = f.Find(ctx)
	r.options.Names, r.options.Elsewhere = f.Names(), true
	return err
}

// check returns an error if the workers cannot have an engine.
func (f *clusterFlag) check(e *attach.Engine) error {
	err := f.Check(e)
	if errors.Is(err, job.ErrEngine) {
		err = usageError{err}
	}
	return err
}

// connect connects to a cluster.
func connect(ctx context.Context, url, name string, warn func(string)) (*cluster.Client, error) {
	client, err := cluster.Connect(ctx, url, name, cluster.Options{Warn: warn})
	if err != nil {
		err = fmt.Errorf("-cluster: %w", err)
	}
	if errors.Is(err, cluster.ErrURL) || errors.As(err, new(*fs.PathError)) { // a file that the URL names
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
	a, err := f.NewAsker(ctx, job.AskerOptions{
		Engine: e, Open: o.Open, Level: e.Options.Level,
		Limits: o.Limits, Deeper: o.Deeper, Restart: o.Restart, Deadlines: e.Options.Deadlines,
	})
	if errors.Is(err, job.ErrEngine) {
		err = usageError{err}
	}
	return a, err
}

// newTable returns the workers of the cluster for games between engines; nil without -cluster.
func (f *clusterFlag) newTable(ctx context.Context, run *engineRun, config *match.Config) (*job.Table, error) {
	if f.Coordinator == nil {
		return nil, nil
	}
	t, err := f.NewTable(ctx, config, run.engines, run.options.Deadlines)
	if errors.Is(err, job.ErrEngine) {
		err = usageError{err}
	}
	return t, err
}

// enginesElsewhere returns what identifies the files of the engines of an asker, if they are on other
// machines.
func enginesElsewhere(a asker) []string {
	if remote, ok := a.(*job.Asker); ok {
		return remote.Files
	}
	return nil
}

// workersOf returns what tells the number of workers behind an asker; nil if it has none.
func workersOf(a asker) func() int {
	if remote, ok := a.(*job.Asker); ok {
		return countWorkers(remote.Run)
	}
	return nil
}

func countWorkers(r *cluster.Run) func() int { return func() int { return len(r.Workers()) } }
