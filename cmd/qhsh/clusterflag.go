package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"slices"
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

// join connects to the cluster of -cluster, if given, and returns a host whose names of engines are
// those of the workers, who must have those of specs. what names the run. close must be called.
func (f *clusterFlag) join(ctx context.Context, h host, what []string, warn func(string), specs ...string) (_ host, closing func(), err error) {
	isGiven := false
	f.flags.Visit(func(given *flag.Flag) {
		isGiven = isGiven || given.Name == "cluster"
		if slices.Contains(localFlags, given.Name) {
			err = usagef("-%s is for engines of this machine: leave it out with -cluster", given.Name)
		}
	})
	if !isGiven {
		return h, func() {}, nil
	}
	if err != nil {
		return h, nil, err
	}
	client, err := connect(ctx, f.url, "qhsh "+f.flags.Name(), warn)
	if err != nil {
		return h, nil, err
	}
	f.Coordinator = &job.Coordinator{
		Client: client, Title: runTitle(f.flags.Name(), what), Host: h.Hostname, Build: buildID(), Warn: warn,
	}
	if err = f.Find(ctx); err == nil {
		h.EngineNames = f.Names()
		err = f.check(h.attachOptions(h.EngineNames), specs...)
	}
	if err != nil {
		client.Close()
		return h, nil, err
	}
	return h, client.Close, nil
}

// check returns an error if there is a cluster whose workers cannot have the engine of a SPEC. Other
// errors may come of what such an engine is taken for.
func (f *clusterFlag) check(o attach.Options, specs ...string) (err error) {
	if f.Coordinator == nil {
		return nil
	}
	for _, spec := range specs {
		err = errors.Join(err, f.Check(spec, o))
	}
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

// runTitle returns the name of a run for people.
func runTitle(command string, what []string) string {
	return batch.Excerpt(strings.Join(append([]string{command}, what...), " "))
}

// An asker answers positions: the engines of this process, or the workers of a cluster.
type asker interface {
	batch.Asker
	Deeper() batch.Asker
	Restarts() int
	Close() error
}

// newAsker returns the workers of the cluster, or without -cluster a pool of engines.
func (f *clusterFlag) newAsker(ctx context.Context, engines *opener, d attach.Description, o batch.PoolOptions) (asker, error) {
	if f.Coordinator == nil {
		return batch.NewPool(ctx, o)
	}
	a, err := f.NewAsker(ctx, job.AskerOptions{
		Spec: engines.spec, Engine: d, Open: engines.Open, Level: engines.options.Level,
		Limits: o.Limits, Deeper: o.Deeper, Restart: o.Restart, Deadlines: engines.options.Deadlines,
	})
	if errors.Is(err, job.ErrEngine) {
		err = usageError{err}
	}
	return a, err
}

// newTable returns the workers of the cluster for games between the engines of players; nil without
// -cluster.
func (f *clusterFlag) newTable(ctx context.Context, engines *opener, config *match.Config) (*job.Table, error) {
	if f.Coordinator == nil {
		return nil, nil
	}
	var specs []string
	for _, p := range config.Players {
		specs = append(specs, p.Spec)
	}
	t, err := f.NewTable(ctx, config, specs, engines.options)
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
