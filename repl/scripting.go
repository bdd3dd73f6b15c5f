package repl

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"qhsh/engine"
	"qhsh/engine/printable"
	"qhsh/pluginclient"
	"qhsh/script"
)

// scripting connects scripts and the shell: it holds the environment of scripts, and implements
// script.Shell. A script runs in a goroutine of await, but only the shell's own goroutine touches
// the shell: it executes the lines that the script requests, and publishes a view of the attached
// engines for the script.
type scripting struct {
	shell   *Shell
	env     *script.Env // created on first use
	running bool        // a script is running
	lines   chan *scriptLine
	view    atomic.Pointer[view]

	mu   sync.Mutex
	used []*attached // by the running script

	prompting bool     // the prompt of .star is active
	block     []string // the lines so far of a block at that prompt
	lastBlock string   // the last block of several lines there
	refused   []string // positions of functions that were reported by reportRefused
}

// A view is what a script sees of the shell.
type view struct {
	session *scriptSession // nil without an engine
	specs   []string
}

// environment returns the environment of scripts. It creates it on first use.
func (t *scripting) environment() *script.Env {
	if t.env != nil {
		return t.env
	}
	s := t.shell
	o := s.options.Script
	o.Games = s.host.Games
	o.Engine, o.Level, o.Search = s.options.Engine, s.options.Level, engine.Limits{Time: s.options.Timeout}
	o.Open = func(ctx context.Context, spec string, e script.EngineOptions) (pluginclient.Session, error) {
		return s.host.Open(ctx, spec, OpenOptions{EngineOptions: e, Warn: func(text string) {
			if ctx.Err() == nil { // no warnings about an engine that is stopped while it starts
				s.say("%s", printable.Line(text))
			}
		}})
	}
	o.Permit = func(spec string) bool { return slices.Contains(t.view.Load().specs, spec) }
	o.Stdin, o.Stdout, o.Stderr, o.Folder, o.Shell = noInput{}, s.console, colored{s.console, false}, ".", t
	t.env = script.New(o)
	return t.env
}

// noInput is the standard input of scripts: lines typed there are for the shell.
type noInput struct{}

func (noInput) Read([]byte) (int, error) {
	return 0, errors.New("standard input belongs to the shell: name a file")
}

// run runs work in the environment of scripts, which Ctrl-C stops. It reports errors itself.
func (t *scripting) run(ctx context.Context, name string, work func(context.Context, *script.Env) error) error {
	if t.running {
		return errors.New("not available in scripts: use load(...) to call functions of another script")
	}
	t.running = true
	t.used = nil
	t.updateView()
	env := t.environment()
	err := t.shell.await(ctx, waitOptions{name: name, script: t}, func(ctx context.Context) error { return work(ctx, env) })
	t.running = false
	return t.failed(err)
}

func (t *scripting) updateView() {
	v := &view{}
	for _, e := range t.shell.engines {
		v.specs = append(v.specs, e.spec)
	}
	if e := t.shell.current; e != nil {
		v.session = &scriptSession{Session: e.session, engine: e, script: t, timeout: t.shell.timeout}
	}
	t.view.Store(v)
}

// engines returns the engines that the script has used.
func (t *scripting) engines() []*attached {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Clone(t.used)
}

// failed reports the error with which a script ended.
func (t *scripting) failed(err error) error {
	s := t.shell
	var failure *script.Error
	switch {
	case err == nil, errors.As(err, new(reportedError)):
		return err
	case errors.Is(err, script.ErrAbandoned) && s.host.Interactive:
		s.printError(errors.New(strings.Replace(err.Error(), errAborted.Error(), "stopped", 1)))
		return reportedError{err}
	case errors.Is(err, errAborted), errors.Is(err, ErrInterrupted), !errors.As(err, &failure):
		return err
	}
	s.printError(failure.Traced())
	for _, e := range t.engines() {
		if e.isLost() && !errors.Is(err, pluginclient.ErrNotRunning) {
			s.say("'.restart %s' restarts it at the same position", e.name)
		}
	}
	return reportedError{err}
}

// Session returns the current engine and its SPEC.
func (t *scripting) Session() (pluginclient.Session, string) {
	v := t.view.Load()
	if v == nil || v.session == nil {
		return nil, ""
	}
	return v.session, v.session.engine.spec
}

// A scriptLine is a line that a script asks the shell to execute.
type scriptLine struct {
	ctx    context.Context
	text   string
	answer chan scriptAnswer // has a buffer of one
}

type scriptAnswer struct {
	text string
	err  error
}

// Run has the shell execute lines. If the script is stopped, Run returns without waiting for their
// end.
func (t *scripting) Run(ctx context.Context, text string) (string, error) {
	if ctx.Err() != nil {
		return "", context.Cause(ctx)
	}
	line := &scriptLine{ctx, text, make(chan scriptAnswer, 1)}
	select {
	case t.lines <- line:
	case <-ctx.Done():
		return "", context.Cause(ctx)
	}
	select {
	case a := <-line.answer:
		return a.text, a.err
	case <-ctx.Done():
		return "", context.Cause(ctx)
	}
}

// serve executes lines of a script. A Ctrl-C meanwhile also stops the script.
func (a *waiter) serve(line *scriptLine) {
	if line.ctx.Err() != nil {
		return // the script no longer waits for the answer
	}
	text, err := a.runLines(line.ctx, line.text)
	a.wait.script.updateView()
	if a.halted {
		a.cancel(a.stopCause())
	}
	line.answer <- scriptAnswer{text, err}
}

// runLines executes lines of a script up to the first that fails, and returns their output. An
// answer of ERROR is not a failure here: the script sees it.
func (s *Shell) runLines(ctx context.Context, text string) (string, error) {
	defer s.readFrom(newPlain(strings.NewReader(text), nil, nil), "shell")()
	var out strings.Builder
	for !s.over {
		if s.isHalted() || ctx.Err() != nil {
			return "", ErrInterrupted // the script is about to end
		}
		line, err := s.readLine("")
		if errors.Is(err, io.EOF) {
			break
		}
		if err == nil {
			err = s.execute(ctx, line, &out)
		}
		if err != nil && !errors.Is(err, errAnswered) {
			return out.String(), err
		}
	}
	return out.String(), nil
}

// refuseInScript returns an error if a script is running. Scripts are not trusted: the files and
// programs that they may use are limited separately.
func (s *Shell) refuseInScript(what string) error {
	if !s.script.running {
		return nil
	}
	return fmt.Errorf("%s is not available in scripts: use engine(), positions(), load() and write() for programs and files", what)
}

// A scriptSession is an attached engine as a script uses it.
type scriptSession struct {
	pluginclient.Session
	engine  *attached
	script  *scripting
	timeout time.Duration // the shell's, for searches without a time limit
}

func (s *scriptSession) use() {
	s.script.mu.Lock()
	defer s.script.mu.Unlock()
	if !slices.Contains(s.script.used, s.engine) {
		s.script.used = append(s.script.used, s.engine)
	}
}

// Search searches a position. It restarts the engine if it is not running.
func (s *scriptSession) Search(ctx context.Context, pos engine.Position, lim engine.Limits) iter.Seq2[[]engine.Line, error] {
	s.use()
	lim.Time = cmp.Or(lim.Time, s.timeout)
	return s.Session.Search(ctx, pos, lim)
}

// Bounds returns the bounds of the engine.
func (s *scriptSession) Bounds() pluginclient.Bounds { return pluginclient.BoundsOf(s.Session) }

// Restart restarts the engine.
func (s *scriptSession) Restart(ctx context.Context) error {
	s.use()
	return s.Session.Restart(ctx)
}

// Raw sends lines in the engine's own protocol, as .raw does.
func (s *scriptSession) Raw(ctx context.Context, text string) ([]string, error) {
	s.use()
	native := pluginclient.Native(s.Session)
	if _, bridged := pluginclient.As[pluginclient.Bridge](s.Session); bridged {
		if err := s.engine.syncNative(ctx, native); err != nil {
			return nil, err
		}
	}
	answer, err := native.Raw(ctx, text)
	return answer, s.engine.withRestartHint(err)
}

// Trace returns the trace of the conversation that Raw uses.
func (s *scriptSession) Trace() *pluginclient.Trace { return pluginclient.Native(s.Session).Trace() }

// Forget makes the engine clear what it remembers from searches.
func (s *scriptSession) Forget() { engine.Forget(s.Session) }
