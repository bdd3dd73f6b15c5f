// Package job defines what the units of a cluster's runs mean: it is where package cluster, which
// carries bytes, meets the tasks that ask engines.
//
// A task sees nothing of it but its own interface. Positions go through an [Asker], which replaces
// the batch.Pool of hints and annotate. Each kind of units has a coordinator's half and a worker's
// half ([Engines.Handlers]) side by side in a file.
//
// # Engines
//
// The engine of a run is a [Ref]: the name of an engine that workers were started with, or the SPEC
// of an embedded engine. Nothing else that comes over the network starts anything: a worker refuses a
// SPEC with a command line, or with options that name files.
//
// Answers must not depend on who gives them. So a worker works for a run only if its engine of that
// name has the same SPEC, the same files, evaluation and book as the coordinator has chosen
// ([cluster.Engine]), or, for an embedded engine, if it is the same build of this program.
package job

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"qhsh/pluginclient/attach"
	"qhsh/pluginclient/task/cluster"
)

// ErrEngine is wrapped by the error of an engine that a cluster cannot run.
var ErrEngine = errors.New("engine of a cluster")

// A Ref names an engine of a worker.
type Ref struct {
	Name string `json:"name,omitempty"` // that the worker has given it
	Spec string `json:"spec,omitempty"` // of an embedded engine without a Name
}

// A Coordinator gives the work of a task to a cluster.
type Coordinator struct {
	Client      *cluster.Client
	Title       string // of its runs, for people
	Host, Build string
	Warn        func(string)

	Found int // workers, by Find

	engines map[string]workersEngine // by name
}

// A workersEngine is an engine that workers have.
type workersEngine struct {
	cluster.Engine
	holder string // a worker that has it
	jobs   int    // of all that have it
	doubt  string // a warning for a run that uses it, if workers have others of that name
}

// Find finds the engines that the workers have.
func (c *Coordinator) Find(ctx context.Context) error {
	workers, err := c.Client.Workers(ctx)
	if err != nil {
		return err
	}
	c.Found = len(workers)
	variants := map[string]map[string]*workersEngine{} // by name and identity
	for _, w := range workers {
		for _, e := range w.Engines {
			if variants[e.Name] == nil {
				variants[e.Name] = map[string]*workersEngine{}
			}
			v := variants[e.Name][e.Identity()]
			if v == nil {
				v = &workersEngine{Engine: e, holder: w.Worker}
				variants[e.Name][e.Identity()] = v
			}
			v.jobs += w.Jobs
		}
	}
	c.engines = map[string]workersEngine{}
	for name, all := range variants {
		keys := slices.SortedFunc(maps.Keys(all), func(a, b string) int {
			return cmp.Or(all[b].jobs-all[a].jobs, strings.Compare(a, b))
		})
		chosen := all[keys[0]]
		if len(keys) > 1 {
			jobs := 0
			for _, v := range all {
				jobs += v.jobs
			}
			chosen.doubt = fmt.Sprintf("workers have %d engines named %s, which differ in SPEC or files: using %s, with %d of their %d jobs", len(keys), name, chosen.Spec, chosen.jobs, jobs)
		}
		c.engines[name] = *chosen
	}
	return nil
}

// Names returns the SPECs of the workers' engines by their names, as engines.json has them.
func (c *Coordinator) Names() map[string]string {
	names := map[string]string{}
	for name, e := range c.engines {
		names[name] = e.Spec
	}
	return names
}

// Check returns an error if an engine is not one that workers may have.
func (c *Coordinator) Check(e *attach.Engine) error {
	_, _, err := c.find(e)
	return err
}

// find returns what workers have of an engine, whose SPEC has the names of Names.
func (c *Coordinator) find(d *attach.Engine) (Ref, cluster.Engine, error) {
	spec := d.Given
	if e, ok := c.engines[spec]; ok {
		if e.doubt != "" {
			c.Warn(e.doubt)
			e.doubt = "" // said
			c.engines[spec] = e
		}
		return Ref{Name: spec}, e.Engine, nil
	}
	switch {
	case !d.Embedded || d.Network:
		return Ref{}, cluster.Engine{}, fmt.Errorf("%w: workers have no engine named %q: they have %s; start one with 'qhsh work -engine NAME=SPEC'", ErrEngine, spec, c.known())
	case len(d.Reads) > 0:
		return Ref{}, cluster.Engine{}, fmt.Errorf("%w: %s: workers read no files for others: start them with -engine NAME=%s, and use NAME", ErrEngine, spec, spec)
	}
	return Ref{Spec: d.Spec}, cluster.Engine{Spec: d.Spec, Evaluation: d.Evaluation}, nil
}

// Engine returns the engine that workers have by a name; the zero value if they have none.
func (c *Coordinator) Engine(name string) cluster.Engine { return c.engines[name].Engine }

// known lists the names of engines.
func (c *Coordinator) known() string {
	switch {
	case c.Found == 0:
		return "none, as no worker answers"
	case len(c.engines) == 0:
		return "none"
	}
	return strings.Join(slices.Sorted(maps.Keys(c.engines)), ", ")
}

// start starts a run.
func (c *Coordinator) start(ctx context.Context, kind, game string, data any, engines ...cluster.Engine) (*cluster.Run, error) {
	text, err := json.Marshal(data)
	if err != nil {
		return nil, err
	}
	return c.Client.Start(ctx, c.Title, c.Host, cluster.Terms{Kind: kind, Game: game, Engines: engines, Build: c.Build, Data: text}, c.Warn)
}
