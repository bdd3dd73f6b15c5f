package script

import (
	"context"
	"fmt"
	"maps"
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
	session pluginclient.Session // nil while it starts
	closed  bool
}

// engines are the running engines and those that start. It is safe for concurrent use.
type engines struct {
	mu   sync.Mutex
	open []*runningEngine
}

func (e *Env) startEngine(ctx context.Context, spec string, o EngineOptions) (*runningEngine, error) {
	s := &runningEngine{}
	if !e.engines.add(s) {
		return nil, fmt.Errorf("%d engines are open, which is the maximum: close() some", maxEngines)
	}
	session, err := e.opts.Open(ctx, spec, e.withFiles(spec, o))
	e.engines.mu.Lock()
	defer e.engines.mu.Unlock()
	s.session = session
	if err != nil {
		e.engines.remove(s)
		return nil, err
	}
	return s, nil
}

// add reports whether there may be another engine.
func (e *engines) add(s *runningEngine) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	if len(e.open) >= maxEngines {
		return false
	}
	e.open = append(e.open, s)
	return true
}

// remove forgets an engine. The caller holds mu.
func (e *engines) remove(s *runningEngine) {
	e.open = slices.DeleteFunc(e.open, func(o *runningEngine) bool { return o == s })
}

// close closes an engine, and kills it when ctx ends.
func (e *engines) close(ctx context.Context, s *runningEngine) {
	if s.closed {
		return
	}
	s.closed = true
	defer context.AfterFunc(ctx, s.session.Kill)()
	_ = s.session.Close() // either way it has ended
	e.mu.Lock()
	defer e.mu.Unlock()
	e.remove(s)
}

// closeAll closes engines concurrently. If ctx has ended, they are killed and it does not wait long.
func (e *engines) closeAll(ctx context.Context, open []*runningEngine) {
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
	select {
	case <-all:
	case <-time.After(closeGrace):
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
	spec, o := v.spec, v.options()
	if v.engine == nil { // one like the shell's
		var attached pluginclient.Session
		if attached, spec = s.env.opts.Shell.Session(); attached != nil {
			if id, known := attached.Level(); known {
				o.Level = &id
			}
		}
	}
	replica, err := s.env.startEngine(ctx, spec, o)
	if err == nil {
		s.replicas[v] = replica
	}
	return replica, err
}

func (s *scope) end(ctx context.Context) {
	s.env.engines.closeAll(ctx, slices.Collect(maps.Values(s.replicas)))
	s.closed = true
}

// permit returns an error if a script may not start an engine.
func (e *Env) permit(b *runLimits, spec string) error {
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

func shellQuoted(word string) string {
	if strings.ContainsAny(word, " \t\n'\"\\$&|;<>()*?`#~!") {
		return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
	}
	return word
}
