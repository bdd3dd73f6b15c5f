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
	// embeddedEngine is the default SPEC of engine().
	embeddedEngine = "builtin"
	// maxEngines is the maximum number of open engines of a script.
	maxEngines = 64
	// closeGrace is how long to wait for engines that have been killed.
	closeGrace = 30 * time.Millisecond
)

// A runningEngine is an engine that runs for a script.
type runningEngine struct {
	session pluginclient.Session
	closed  bool
}

// engines are the running engines. It is safe for concurrent use.
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
	session, err := e.opts.Open(ctx, spec, e.withFiles(spec, o))
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
		return fmt.Errorf("%d engines are open, which is the maximum: close() some", maxEngines)
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

// close closes an engine.
func (e *engines) close(ctx context.Context, s *runningEngine) {
	if s == nil || s.closed {
		return
	}
	s.closed = true
	closeSession(ctx, s.session)
	e.release(s)
}

// closeSession closes an engine, and kills it when ctx ends.
func closeSession(ctx context.Context, s pluginclient.Session) {
	defer context.AfterFunc(ctx, s.Kill)()
	_ = s.Close() // either way it has ended
}

// closeAll closes all open engines concurrently. If ctx has ended, they are killed and it does not
// wait long.
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

// A scope is a user of engines: the script, or a worker of pmap. It must not be used by several
// goroutines at once.
type scope struct {
	env      *Env
	closed   bool
	replicas map[*engineValue]*runningEngine // of engines of another scope
}

func newScope(e *Env) *scope { return &scope{env: e, replicas: map[*engineValue]*runningEngine{}} }

// replica returns the scope's replica of another scope's engine, and starts it if necessary.
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

// end closes the replicas.
func (s *scope) end(ctx context.Context) {
	var open []*runningEngine
	for _, replica := range s.replicas {
		open = append(open, replica)
	}
	s.env.engines.closeEngines(ctx, open)
	s.closed = true
}

// permit returns an error if a script may not start an engine.
func (e *Env) permit(b *runLimits, spec string) error {
	if e.opts.Open == nil {
		return fmt.Errorf("engines are not available")
	}
	if e.opts.Embedded != nil {
		if memory, ok := e.opts.Embedded(spec, e.withFiles(spec, EngineOptions{})); ok {
			if need := int64(memory) << 20; need > b.limit {
				return fmt.Errorf("needs %s of memory, more than the script's limit of %s (-max-memory)", bytesText(need), bytesText(b.limit))
			}
			return nil
		}
	}
	if e.given(spec) {
		return nil
	}
	if e.opts.Shell != nil {
		return fmt.Errorf("not allowed for scripts: use .attach %s, or start qhsh with -allow-engine %s", spec, shellQuoted(spec))
	}
	return fmt.Errorf("not allowed for scripts: add -allow-engine %s", shellQuoted(spec))
}

// given reports whether the user has given a SPEC.
func (e *Env) given(spec string) bool {
	return spec == e.opts.Engine || slices.Contains(e.opts.Allowed, spec) || e.opts.Permit != nil && e.opts.Permit(spec)
}

// withFiles returns o with the File of a SPEC.
func (e *Env) withFiles(spec string, o EngineOptions) EngineOptions {
	if !e.given(spec) {
		o.File = e.filePath
	}
	return o
}

// shellQuoted quotes a word for a shell if necessary.
func shellQuoted(word string) string {
	if strings.ContainsAny(word, " \t\n'\"\\$&|;<>()*?`#~!") {
		return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
	}
	return word
}
