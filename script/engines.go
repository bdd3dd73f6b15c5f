package script

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"qhsh/pluginclient"
)

const (
	// embeddedEngine is the SPEC of engine() where the command line names none.
	embeddedEngine = "builtin"
	// maxEngines is how many engines of a script may be open at the same time.
	maxEngines = 64
	// closeGrace is how long the end of engines is waited for that were ended at once.
	closeGrace = 30 * time.Millisecond
)

// A seat is an engine that runs for a script.
type runningEngine struct {
	session pluginclient.Session
	closed  bool
}

// engines are all that run. It is safe for concurrent use.
type engines struct {
	mu       sync.Mutex
	reserved int
	open     []*runningEngine
}

// startEngine starts an engine.
func (e *Env) startEngine(ctx context.Context, spec string, o EngineOptions) (*runningEngine, error) {
	if err := e.engines.reserve(); err != nil {
		return nil, err
	}
	session, err := e.opts.Open(ctx, spec, o)
	if err != nil {
		e.engines.release(nil)
		return nil, err
	}
	s := &runningEngine{session: session}
	e.engines.mu.Lock()
	defer e.engines.mu.Unlock()
	e.engines.open = append(e.engines.open, s)
	return s, nil
}

func (e *engines) reserve() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.reserved >= maxEngines {
		return fmt.Errorf("%d engines are open, and there cannot be more: close() those that are done", maxEngines)
	}
	e.reserved++
	return nil
}

func (e *engines) release(s *runningEngine) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.reserved--
	e.open = slices.DeleteFunc(e.open, func(o *runningEngine) bool { return o == s })
}

// close ends an engine.
func (e *engines) close(ctx context.Context, s *runningEngine) {
	if s == nil || s.closed {
		return
	}
	s.closed = true
	closeSession(ctx, s.session)
	e.release(s)
}

// closeSession ends an engine politely, and at once when ctx ends.
func closeSession(ctx context.Context, s pluginclient.Session) {
	defer context.AfterFunc(ctx, s.Kill)()
	_ = s.Close() // either way it has ended
}

// closeAll ends what is open, all at the same time. If ctx has ended, it does not wait
// for long: the engines are killed.
func (e *engines) closeAll(ctx context.Context) {
	e.mu.Lock()
	open := slices.Clone(e.open)
	e.mu.Unlock()
	e.closeEngines(ctx, open)
}

func (e *engines) closeEngines(ctx context.Context, open []*runningEngine) {
	var closing sync.WaitGroup
	for _, s := range open {
		closing.Go(func() { e.close(ctx, s) })
	}
	all := make(chan struct{})
	go func() {
		closing.Wait()
		close(all)
	}()
	select {
	case <-all:
		return
	case <-ctx.Done():
	}
	timer := time.NewTimer(closeGrace)
	defer timer.Stop()
	select {
	case <-all:
	case <-timer.C:
	}
}

// A scope is whoever uses engines: the script, or a worker of pmap. One goroutine at a
// time uses it.
type scope struct {
	env      *Env
	closed   bool
	replicas map[*engineValue]*runningEngine // of engines of another scope
}

func newScope(e *Env) *scope { return &scope{env: e, replicas: map[*engineValue]*runningEngine{}} }

// replica returns the scope's own engine in place of another scope's, started when it is needed.
func (s *scope) replica(ctx context.Context, v *engineValue) (*runningEngine, error) {
	if replica := s.replicas[v]; replica != nil {
		return replica, nil
	}
	spec, o := v.replicaSpec()
	replica, err := s.env.startEngine(ctx, spec, o)
	if err != nil {
		return nil, err
	}
	s.replicas[v] = replica
	return replica, nil
}

// end ends the twins.
func (s *scope) end(ctx context.Context) {
	var open []*runningEngine
	for _, replica := range s.replicas {
		open = append(open, replica)
	}
	s.env.engines.closeEngines(ctx, open)
	s.closed = true
}

// permit returns an error if a script may not start the engine of a SPEC.
func (e *Env) permit(b *runLimits, spec string) error {
	if e.opts.Open == nil {
		return fmt.Errorf("there are no engines here")
	}
	if e.opts.Embedded != nil {
		if memory, ok := e.opts.Embedded(spec); ok {
			return b.checkSize(spec, float64(memory)*(1<<20))
		}
	}
	if spec == e.opts.Engine || slices.Contains(e.opts.Allowed, spec) || e.opts.Permit != nil && e.opts.Permit(spec) {
		return nil
	}
	if e.opts.Shell != nil {
		return fmt.Errorf("a script starts only the engines that are attached to the shell or that its command line names: .attach %s, or start qhsh with -allow-engine %s", spec, shellQuoted(spec))
	}
	return fmt.Errorf("a script starts only the engines that the command line names: add -allow-engine %s", shellQuoted(spec))
}

// shellQuoted returns a word as a shell takes it.
func shellQuoted(word string) string {
	if strings.ContainsAny(word, " \t\n'\"\\$&|;<>()*?`#~!") {
		return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
	}
	return word
}
