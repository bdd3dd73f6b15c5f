package repl

import (
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

// scripting is what scripts have to do with the shell: their environment, and the shell
// as they see it (it is a script.Shell). A script runs in a goroutine of await's, while
// only the shell's own goroutine touches the shell: it serves the lines that the script
// wants to be run, and a view of what is attached is left for the script to look at.
type scripting struct {
	shell   *Shell
	env     *script.Env // nil until it is needed
	running bool        // a script
	lines   chan *scriptLine
	view    atomic.Pointer[view]

	mu   sync.Mutex
	used []*attached // by the script that runs

	prompting bool     // .star reads lines
	block     []string // what has been typed of one
	refused   []string // functions that do not become commands, and have been told of
}

// A view is what a script sees of the shell.
type view struct {
	session *scriptSession // nil: there is no engine
	specs   []string
}

func newScripting(s *Shell) *scripting {
	return &scripting{shell: s, lines: make(chan *scriptLine)}
}

// environment is made when it is first needed.
func (t *scripting) environment() *script.Env {
	if t.env != nil {
		return t.env
	}
	s := t.shell
	o := s.options.Script
	o.Games = s.host.Games
	o.Engine, o.Level, o.Search = s.options.Engine, s.options.Level, engine.Limits{Time: s.options.Timeout}
	o.Open = func(ctx context.Context, spec string, e script.EngineOptions) (pluginclient.Session, error) {
		return s.host.Open(ctx, spec, OpenOptions{Level: e.Level, Limits: e.Limits, Warn: func(text string) {
			if ctx.Err() == nil { // of an engine that is ended as it starts there is nothing to say
				s.say("%s", printable.Line(text))
			}
		}})
	}
	o.Permit = func(spec string) bool { return slices.Contains(t.view.Load().specs, spec) }
	o.Stdin, o.Stdout, o.Stderr, o.Folder, o.Shell = noInput{}, s.console, lineWriter{s.console}, ".", t
	t.env = script.New(o)
	return t.env
}

// close ends the engines of scripts.
func (t *scripting) close(ctx context.Context) {
	if t.env != nil {
		t.env.Close(ctx)
	}
}

// noInput is the standard input of scripts: what is typed there is for the shell.
type noInput struct{}

func (noInput) Read([]byte) (int, error) {
	return 0, errors.New("standard input is the shell's: name a file")
}

// errWithin is the error of a script that wants another one to run.
var errNested = errors.New("it is not for scripts: a script calls a function of another one after load(...)")

// run has a script do something. Ctrl-C ends it. What is wrong has been told.
func (t *scripting) run(ctx context.Context, name string, work func(context.Context, *script.Env) error) error {
	if t.running {
		return errNested
	}
	t.running = true
	t.used = nil
	t.updateView()
	env := t.environment()
	err := t.shell.await(ctx, waitOptions{name: name, script: t}, func(ctx context.Context) error { return work(ctx, env) })
	t.running = false
	return t.failed(err)
}

// look shows to scripts what is attached.
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

// engines are those that the script has used.
func (t *scripting) engines() []*attached {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Clone(t.used)
}

// failed tells what a script has come to.
func (t *scripting) failed(err error) error {
	s := t.shell
	var failure *script.Error
	switch {
	case err == nil, errors.As(err, new(reportedError)):
		return err
	case errors.Is(err, script.ErrAbandoned) && s.host.Interactive:
		s.printError(errors.New(strings.Replace(err.Error(), errAborted.Error(), "stopped", 1)))
		return reportedError{err}
	case errors.Is(err, errAborted), errors.Is(err, ErrInterrupted):
		return err
	case !errors.As(err, &failure):
		return err
	}
	s.printError(failure.Traced())
	for _, e := range t.engines() {
		if e.isLost() && !errors.Is(err, pluginclient.ErrNotRunning) {
			s.say("'.restart %s' starts it again at the same position", e.name)
		}
	}
	return reportedError{err}
}

// Session is the current engine, and its SPEC.
func (t *scripting) Session() (pluginclient.Session, string) {
	v := t.view.Load()
	if v == nil || v.session == nil {
		return nil, ""
	}
	return v.session, v.session.engine.spec
}

// A scriptLine is what a script wants the shell to run.
type scriptLine struct {
	ctx    context.Context
	text   string
	answer chan scriptAnswer // holds one
}

type scriptAnswer struct {
	text string
	err  error
}

// Run has the shell run a line, or lines such as those of a LOAD. A script that is
// stopped does not wait for the end of it.
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

// scriptLines are the lines of the script that is waited for; nil if none is.
func (a *waiter) scriptLines() <-chan *scriptLine {
	if a.wait.script == nil {
		return nil
	}
	return a.wait.script.lines
}

// serve runs the lines of a script. Ctrl-C meanwhile is meant for the script too.
func (a *waiter) serve(line *scriptLine) {
	if line.ctx.Err() != nil {
		return // it does not wait for the answer any more
	}
	text, err := a.runLines(line.ctx, line.text)
	a.wait.script.updateView()
	if a.halted {
		a.cancel(a.stopCause())
	}
	line.answer <- scriptAnswer{text, err}
}

// runLines runs lines of a script, up to the first that fails, and answers what they
// write. That an engine has answered with ERROR is for the script to see.
func (s *Shell) runLines(ctx context.Context, text string) (string, error) {
	outer, from := s.editor, s.source
	given := newPlain(strings.NewReader(text), nil, nil)
	defer given.Close()
	s.editor, s.source = given, source{name: "shell"}
	s.depth++
	defer func() {
		s.depth--
		s.editor, s.source = outer, from
	}()
	var out strings.Builder
	for !s.over {
		select {
		case <-s.host.Interrupt:
			s.halted = true
		default:
		}
		if s.halted || ctx.Err() != nil {
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

// keptFromScripts is an error if a script runs: a script is somebody else's program, and
// has bounds of its own on the files and programs that it reaches.
func (s *Shell) refuseInScript(what string) error {
	if !s.script.running {
		return nil
	}
	return fmt.Errorf("%s is not for scripts, which reach programs and files by engine(), positions(), load() and write() alone", what)
}

// shared is an attached engine as a script uses it.
type scriptSession struct {
	pluginclient.Session
	engine  *attached
	script  *scripting
	timeout time.Duration // of the shell, for searches that have none
}

// use remembers that the script has used the engine.
func (s *scriptSession) use() {
	s.script.mu.Lock()
	defer s.script.mu.Unlock()
	if !slices.Contains(s.script.used, s.engine) {
		s.script.used = append(s.script.used, s.engine)
	}
}

// Search asks the engine, and starts it again if it does not run.
func (s *scriptSession) Search(ctx context.Context, pos engine.Position, lim engine.Limits) iter.Seq2[[]engine.Line, error] {
	s.use()
	if lim.Time == 0 {
		lim.Time = s.timeout
	}
	return s.Session.Search(ctx, pos, lim)
}

// Bounds are those of the engine.
func (s *scriptSession) Bounds() pluginclient.Bounds { return pluginclient.BoundsOf(s.Session) }

// Restart starts the engine again.
func (s *scriptSession) Restart(ctx context.Context) error {
	s.use()
	return s.Session.Restart(ctx)
}

// native is the conversation with the engine in its own protocol.
func (s *scriptSession) native() (native pluginclient.Session, bridged bool) {
	if bridge, ok := pluginclient.As[pluginclient.Bridge](s.Session); ok {
		return bridge.Native(), true
	}
	return s.Session, false
}

// Raw sends lines of its own protocol to the engine, if it runs, as .raw does.
func (s *scriptSession) Raw(ctx context.Context, text string) ([]string, error) {
	s.use()
	native, bridged := s.native()
	if bridged {
		if err := s.engine.syncNative(ctx, native); err != nil {
			return nil, err
		}
	}
	answer, err := native.Raw(ctx, text)
	return answer, s.engine.withRestartHint(err)
}

// Trace is the conversation of Raw.
func (s *scriptSession) Trace() *pluginclient.Trace {
	native, _ := s.native()
	return native.Trace()
}

// Forget makes the engine forget what it has searched.
func (s *scriptSession) Forget() { engine.Forget(s.Session) }
