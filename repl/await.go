package repl

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"qhsh/engine"
	"qhsh/pluginclient"
)

// Delays of the status line and of Ctrl-C.
const (
	statusDelay    = 300 * time.Millisecond // before the status line is first drawn
	statusInterval = 100 * time.Millisecond // between two drawings of it
	killWindow     = time.Second            // a second Ctrl-C within it kills the engines
)

var (
	errAborted = errors.New("aborted")
	errKilled  = errors.New("killed")
)

// waitOptions configure a call of await.
type waitOptions struct {
	engines   []*attached
	pending   func() []*attached // the engines that have not answered yet; nil for all
	timeout   time.Duration      // after it the engines are asked for their answer; 0 means never
	stopCause error              // if not nil, the work is cancelled with it after stopAfter
	stopAfter time.Duration
	stoppable bool                                        // words that stop the engines may be typed
	passLine  func(ctx context.Context, line string) bool // handles a typed line that is meant for the engine; may be nil
	moveNow   func()                                      // asks the engines for their answer; nil to cancel the work with engine.ErrMoveNow
	status    func() string                               // the end of the status line; may be nil
	name      string                                      // the start of the status line; empty for the engines' names
	starting  *attached                                   // the engine that is being started; may be nil
	script    *scripting                                  // the script that is waited for, with its lines and engines; may be nil
	screen    *fullScreen                                 // in place of the status line; may be nil
}

// A fullScreen uses the whole terminal while something is waited for.
type fullScreen struct {
	draw  func(stopping bool)
	keys  <-chan string
	press func(key string) (ends bool) // handles a key other than Ctrl-C
}

// await runs work, which has engines do something, and keeps the user informed and in control. It
// cancels the context of work with engine.ErrMoveNow to ask for the answer at once, and with
// errAborted to give the work up, on Ctrl-C or ABORT; it then waits until the engines are idle. A
// second Ctrl-C kills the engines and restarts them at the same position. Without an interactive
// user, Ctrl-C ends the work with ErrInterrupted.
func (s *Shell) await(ctx context.Context, w waitOptions, work func(ctx context.Context) error) error {
	inner, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	s.forgetInterrupt()
	a := &waiter{Shell: s, wait: w, ctx: inner, cancel: cancel, started: time.Now()}
	done := make(chan error, 1)
	go func() {
		err := work(inner)
		if cause := context.Cause(inner); errors.Is(cause, errAborted) || errors.Is(cause, ErrInterrupted) {
			for _, e := range a.engines() { // until those that were told to stop are idle
				if lost := e.session.Idle(context.WithoutCancel(inner)); lost != nil {
					a.lostEngines = append(a.lostEngines, e)
					err = errors.Join(err, lost)
				}
			}
		}
		done <- err
	}()
	return a.finish(ctx, a.watch(done))
}

// awaitEngine has an engine do something under await, and reports its error.
func (s *Shell) awaitEngine(ctx context.Context, e *attached, do func(ctx context.Context) error) error {
	return s.await(ctx, waitOptions{engines: []*attached{e}}, func(ctx context.Context) error {
		return s.reportEngineError(e, do(ctx))
	})
}

// forgetInterrupt drops a Ctrl-C that was pressed at the prompt, before the command: it is not
// meant for the command. A Ctrl-C while a file is being read is meant for the whole file and is
// kept.
func (s *Shell) forgetInterrupt() {
	if !s.byPerson() {
		return
	}
	select {
	case <-s.host.Interrupt:
	default:
	}
}

// A waiter is a call of await in progress.
type waiter struct {
	*Shell
	wait          waitOptions
	ctx           context.Context // of the work
	cancel        context.CancelCauseFunc
	started       time.Time
	lastInterrupt time.Time // zero before the first Ctrl-C
	killed        bool
	killedEngines []*attached
	lostEngines   []*attached      // engines that did not stop
	typed         <-chan typedLine // lines typed meanwhile; nil while they are not read
	waited        bool             // a script has used .wait
	pause         <-chan time.Time // fires at the end of that .wait
}

// byPerson reports whether a user types the lines, as opposed to reading them from a file.
func (s *Shell) byPerson() bool { return s.host.Interactive && s.depth == 0 }

// watch handles events until the work is done, and returns the error of the work.
func (a *waiter) watch(done <-chan error) error {
	defer a.console.status("")
	defer a.console.leaveScreen()
	var keys <-chan string
	var scriptLines <-chan *scriptLine
	if a.wait.script != nil {
		scriptLines = a.wait.script.lines
	}
	delay := statusDelay
	if a.wait.screen != nil {
		keys, delay = a.wait.screen.keys, 0
	}
	tick, limit := time.After(delay), after(a.wait.timeout)
	var stopping <-chan time.Time
	if a.wait.stopCause != nil {
		stopping = time.After(a.wait.stopAfter)
	}
	// An engine that answers at once should not disturb a user who types; a script chooses the delay
	// itself, by .wait. An ABORT that is read before the command has been sent is sent after it: see
	// pluginclient.Session.
	var listenDelay time.Duration // 0: never
	if a.wait.stoppable && a.byPerson() {
		listenDelay = 20 * time.Millisecond
	} else if a.wait.stoppable {
		listenDelay = 1
	}
	hear := after(listenDelay)
	for {
		select {
		case err := <-done:
			return err
		case <-tick:
			a.show()
			tick = time.After(statusInterval)
		case key, ok := <-keys:
			if !ok {
				keys = nil
			}
			switch {
			case key == ctrlC:
				a.handleInterrupt()
			case !ok, a.wait.screen.press(key):
				a.cancel(errAborted)
			default:
				a.show()
			}
		case <-limit:
			a.moveNow()
		case <-stopping:
			a.cancel(a.wait.stopCause)
		case <-a.host.Interrupt:
			a.handleInterrupt()
		case t, ok := <-a.typed:
			a.handleTyped(t, ok)
		case line := <-scriptLines:
			a.serve(line)
		case <-hear:
			a.typed = a.editor.Ahead()
		case <-a.pause:
			a.pause, a.typed = nil, a.editor.Ahead()
		}
	}
}

func (a *waiter) show() {
	if a.wait.screen != nil {
		a.wait.screen.draw(a.ctx.Err() != nil)
		return
	}
	_ = a.console.flushIf(true)
	if a.wait.starting != nil {
		a.tellJudged(a.wait.starting)
	}
	a.tellAllJudged()
	text := fmt.Sprintf("%s %.1fs", a.names(), time.Since(a.started).Seconds())
	switch {
	case a.killed:
		text += "  killing"
	case context.Cause(a.ctx) != nil:
		text += "  stopping"
	case a.wait.status != nil:
		text += "  " + a.wait.status()
	}
	a.console.status(text)
}

// after is time.After, but never fires if d is not positive.
func after(d time.Duration) <-chan time.Time {
	if d <= 0 {
		return nil
	}
	return time.After(d)
}

// handleTyped handles a line that was typed while an engine thinks. A user's word that stops the
// engine, such as ABORT or TIMEOUT, takes effect at once. In a script every command is answered
// before the next one is sent, unless .wait comes first.
func (a *waiter) handleTyped(t typedLine, ok bool) {
	word, args := cutWord(t.text)
	act := a.byPerson() || a.waited
	stop := a.stopOf(t.text)
	pause, err := time.ParseDuration(args)
	switch {
	case !ok:
		a.typed = nil
		return
	case t.err == nil && isComment(word):
	case act && stop == pluginclient.GiveUp:
		a.cancel(errAborted)
	case act && stop == pluginclient.MoveNow:
		a.moveNow()
	case act && t.err == nil && a.wait.passLine != nil && a.wait.passLine(a.ctx, t.text):
	case a.byPerson():
		a.editor.Unread(t)
	case strings.EqualFold(word, ".wait") && err == nil:
		a.waited, a.typed, a.pause = true, nil, time.After(pause)
	default:
		a.editor.Unread(t)
		a.typed = nil
		return
	}
	if a.byPerson() {
		a.console.lineEntered()
		return
	}
	a.source.line++
}

// moveNow asks the engines for their answer, as far as they support it.
func (a *waiter) moveNow() {
	able := false
	for _, e := range a.engines() {
		if e.has(pluginclient.AbilityTimeout) {
			able = true
			continue
		}
		ways := append(a.stopWords(e, pluginclient.GiveUp), "Ctrl-C")
		a.say("%s does not announce %s and keeps thinking; stop it with %s", e.name, pluginclient.AbilityTimeout, strings.Join(ways, " or "))
	}
	switch {
	case !able:
	case a.wait.moveNow != nil:
		a.wait.moveNow()
	default:
		a.cancel(engine.ErrMoveNow)
	}
}

// handleInterrupt handles Ctrl-C: the first one stops the work, a second one shortly after it
// kills the engines.
func (a *waiter) handleInterrupt() {
	a.halted = true
	now := time.Now()
	switch cause := context.Cause(a.ctx); {
	case !a.lastInterrupt.IsZero() && now.Sub(a.lastInterrupt) < killWindow:
		a.killed = true
		if a.killedEngines == nil {
			a.killedEngines = a.engines()
			if a.wait.pending != nil {
				a.killedEngines = a.wait.pending()
			}
		}
		for _, e := range a.killedEngines {
			go e.session.Kill()
		}
	case !a.host.Interactive || cause == nil:
		a.cancel(a.stopCause())
	default:
		a.say("waiting for %s to stop; press Ctrl-C again within a second to kill it", a.names())
	}
	a.lastInterrupt = now
}

func (a *waiter) engines() []*attached {
	if a.wait.script != nil {
		return a.wait.script.engines()
	}
	return a.wait.engines
}

// stopCause returns the cancellation cause for Ctrl-C.
func (a *waiter) stopCause() error {
	if a.host.Interactive {
		return errAborted
	}
	return ErrInterrupted
}

// names returns the name of the script or the names of the engines, for the status line.
func (a *waiter) names() string {
	if a.wait.name != "" {
		return a.wait.name
	}
	var names []string
	for _, e := range a.engines() {
		names = append(names, e.name)
	}
	return strings.Join(names, ", ")
}

// finish ends a pending .wait and restarts engines that were killed or did not stop.
func (a *waiter) finish(ctx context.Context, err error) error {
	if a.pause != nil && a.lastInterrupt.IsZero() {
		select {
		case <-a.pause:
		case <-a.host.Interrupt:
			a.halted = true
			return ErrInterrupted
		}
	}
	disobeyed := errors.Is(err, errAborted) && pluginclient.Lost(err)
	restarting, how := a.lostEngines, "did not stop"
	if errors.Is(err, pluginclient.ErrDied) {
		how = "died"
	}
	switch {
	case a.killed && !a.host.Interactive:
		return ErrInterrupted
	case a.killed:
		restarting, how = a.killedEngines, "was killed"
		if len(restarting) == 0 {
			return err // of a script that has used no engine
		}
		err = errKilled
	case !disobeyed:
		return err
	}
	var failed error
	for _, e := range restarting {
		if restarted := a.restart(ctx, e); restarted != nil {
			failed = errors.Join(failed, restarted)
			continue
		}
		a.say("%s %s and was restarted at the same position", e.name, how)
	}
	if failed != nil {
		a.reportError(failed)
	}
	return reportedError{err}
}
