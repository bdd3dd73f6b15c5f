package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"runtime"
	"slices"
	"strings"

	"qhsh/engine/games"
	"qhsh/engine/lazyregexp"
	"qhsh/engine/printable"
	"qhsh/pluginclient"
	"qhsh/pluginclient/attach"
	"qhsh/pluginclient/task/cluster"
	"qhsh/pluginclient/task/cluster/job"
)

var workCommand = command{
	name:    "work",
	summary: "be a worker of a cluster, which searches and plays for other machines",
	setup:   defined[workAction],
}

type workAction struct {
	url     string
	jobs    int
	engines []string // NAME=SPEC, or a name of engines.json
}

func (c *workAction) define(fs *flag.FlagSet, _ games.Table) {
	c.jobs = min(runtime.GOMAXPROCS(0), cluster.MaxJobs)
	fs.StringVar(&c.url, "cluster", "", "work for the cluster at `URL`")
	fs.Var(count(&c.jobs, cluster.MaxJobs), "jobs", "search `N` positions, or play N games, at the same time")
	fs.Lookup("jobs").DefValue = "" // that of the machine
	fs.Var(list(&c.engines), "engine",
		"offer an engine as `NAME=SPEC`, or one of engines.json by its NAME; may be repeated")
}

func (c *workAction) run(ctx context.Context, h host, _ []string) error {
	if c.url == "" {
		return usagef("missing -cluster URL, as in 'qhsh work -cluster nats://localhost'")
	}
	say := func(text string) { h.sayf("work", "%s", text) }
	names, err := c.names(h)
	if err != nil {
		return err
	}
	o := h.attachOptions(names)
	o.Deadlines = pluginclient.DefaultDeadlines()
	engines, err := job.NewEngines(ctx, o, buildID())
	if err != nil {
		return err
	}
	client, err := connect(ctx, c.url, "qhsh work", say)
	if err != nil {
		return err
	}
	defer client.Close()
	offer := fmt.Sprintf("%s, the embedded engines", printable.Plural(c.jobs, "job"))
	for _, e := range engines.List() {
		offer += fmt.Sprintf(", %s (%s)", e.Name, e.Version)
	}
	say(offer + ": waiting for work")
	return client.Work(ctx, cluster.WorkerOptions{
		Host: h.Hostname, Build: buildID(), Jobs: c.jobs, Engines: engines.List(),
		Handlers: engines.Handlers(say), Check: engines.Check, Describe: engines.Describe, Say: say,
	})
}

// engineName matches the names that a worker may give to engines.
var engineName = lazyregexp.New(`^[\pL\pN._+-]+$`)

// names returns the SPECs of the engines by their names.
func (c *workAction) names(h host) (map[string]string, error) {
	known, err := engineNames(h)
	if err != nil {
		return nil, err
	}
	names := map[string]string{}
	for _, text := range c.engines {
		name, spec, given := strings.Cut(text, "=")
		if !given || !engineName().MatchString(name) {
			name, spec = text, known[text]
		}
		switch {
		case spec == "":
			return nil, usagef("-engine %s: want NAME=SPEC, or a name of engines.json", text)
		case slices.ContainsFunc(h.kinds().All(), func(k attach.Kind) bool { return k.Name == name }):
			return nil, usagef("-engine %s: %s is a kind of engines: choose another name", text, name)
		case names[name] != "":
			return nil, usagef("-engine: two engines are named %s", name)
		}
		names[name] = cmp.Or(known[spec], spec)
	}
	return names, nil
}
