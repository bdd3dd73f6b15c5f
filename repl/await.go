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

// How waiting looks to a person.
const (
	statusDelay    = 300 * time.Millisecond // until the status line is drawn first
	statusInterval = 100 * time.Millisecond // between two drawings of it
	killWindow     = time.Second            // within this a second Ctrl-C kills
)

var (
	errAborted = errors.New("aborted")
	errKilled  = errors.New("killed")
)

// A wait is what await has to know.
type waitOptions struct {
	engines   []*attached
	pending   func() []*attached                          // those that have not answered yet, if there are several; nil: all
	timeout   time.Duration                               // then the answer is wanted; 0: never
	stopCause error                                       // why the work is to end before; nil: it is not
	stopAfter time.Duration                               // how long after it has begun that is
	stoppable bool                                        // words that stop the engines may be typed
	passLine  func(ctx context.Context, line string) bool // takes a line that is typed meanwhile, if it is meant for the engine; nil: none is
	moveNow   func()                                      // has the engines answer at once; nil: the end of the work's context does
	status    func() string                               // the end of the status line; may be nil
	name      string                                      // on the status line; empty: the engines'
	script    *scripting                                  // whose lines are served, and whose engines are meant; nil: no script is waited for
}

// await runs work, which has engines do something, and sees to it that a person is not
// left in the dark. The context of work ends with engine.ErrMoveNow when the answer is
// wanted at once, and with errAborted when the work is to be given up, by Ctrl-C or by
// ABORT; the engines are then waited for. A second Ctrl-C kills them and starts them
// again where they were. Where no person sits there, Ctrl-C ends the work with
// ErrInterrupted.
func (s *Shell) await(ctx context.Context, w waitOptions, work func(ctx context.Context) error) error {
	inner, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	s.forgetInterrupt()
	a := &waiter{Shell: s, wait: w, ctx: inner, cancel: cancel, started: time.Now()}
	done := make(chan error, 1)
	go func() {
		err := work(inner)
		if lost := a.awaitIdle(); lost != nil {
			err = errors.Join(err, lost)
		}
		done <- err
	}()
	return a.finish(ctx, a.watch(done))
}

// forgetInterrupt drops a Ctrl-C from before. What a person has pressed at the prompt is
// not meant for what is asked for now; in a file it is meant for all of the file.
func (s *Shell) forgetInterrupt() {
	if !s.byPerson() {
		return
	}
	select {
	case <-s.host.Interrupt:
	default:
	}
}

// awaiting is a wait under way.
type waiter struct {
	*Shell
	wait          waitOptions
	ctx           context.Context // of the work
	cancel        context.CancelCauseFunc
	started       time.Time
	lastInterrupt time.Time // of the last Ctrl-C; zero: there was none
	killed        bool
	killedEngines []*attached      // engines that were killed
	lostEngines   []*attached      // engines that did not obey
	typed         <-chan Typed     // what is typed meanwhile; nil: nobody listens
	waited        bool             // a script has said .wait
	pause         <-chan time.Time // the end of that .wait; nil: there is none
}

// byPerson reports whether the lines are typed by a person, and not read from a file.
func (s *Shell) byPerson() bool { return s.host.Interactive && s.depth == 0 }

func (a *waiter) watch(done <-chan error) error {
	defer a.console.status("")
	tick := time.NewTimer(statusDelay)
	defer tick.Stop()
	limit, stop := after(a.wait.timeout)
	defer stop()
	stopping, dontStop := a.stopTimer()
	defer dontStop()
	hear, stopHearing := after(a.listenDelay())
	defer stopHearing()
	for {
		select {
		case err := <-done:
			return err
		case <-tick.C:
			_ = a.console.flushIf(true)
			a.draw()
			tick.Reset(statusInterval)
		case <-limit:
			a.moveNow()
		case <-stopping:
			a.cancel(a.wait.stopCause)
		case <-a.host.Interrupt:
			a.handleInterrupt()
		case t, ok := <-a.typed:
			a.handleTyped(t, ok)
		case line := <-a.scriptLines():
			a.serve(line)
		case <-hear:
			a.typed = a.editor.Ahead()
		case <-a.pause:
			a.pause, a.typed = nil, a.editor.Ahead()
		}
	}
}

// deafness is how long lines that are typed have to wait: an engine that answers at once
// should not disturb a person who types. None is for ever. An ABORT that is read before the
// engine has been asked is sent behind what it is asked: see [pluginclient.Session].
func (a *waiter) listenDelay() time.Duration {
	const asking = 20 * time.Millisecond
	switch {
	case !a.wait.stoppable:
		return 0
	case a.byPerson():
		return asking
	}
	return 1 // a script says by itself how long, by .wait
}

// stopping is when the work is to end before it is done.
func (a *waiter) stopTimer() (<-chan time.Time, func()) {
	if a.wait.stopCause == nil {
		return nil, func() {}
	}
	return after(max(1, a.wait.stopAfter))
}

// after is time.After that can be stopped; no time is never.
func after(d time.Duration) (<-chan time.Time, func()) {
	if d <= 0 {
		return nil, func() {}
	}
	timer := time.NewTimer(d)
	return timer.C, func() { timer.Stop() }
}

// heard is told of a line that was typed while an engine thinks. A person's word that stops
// it, such as ABORT and TIMEOUT, takes effect at once. In a script every command is answered before the next one
// is sent, unless it says .wait first.
func (a *waiter) handleTyped(t Typed, ok bool) {
	word, args := cutWord(t.Line)
	act := a.byPerson() || a.waited
	stop := a.stopOf(t.Line)
	pause, err := time.ParseDuration(args)
	switch {
	case !ok:
		a.typed = nil
		return
	case t.Err == nil && isComment(word):
	case act && stop == pluginclient.GiveUp:
		a.cancel(errAborted)
	case act && stop == pluginclient.MoveNow:
		a.moveNow()
	case act && t.Err == nil && a.wait.passLine != nil && a.wait.passLine(a.ctx, t.Line):
	case a.byPerson():
		a.editor.Unread(t)
	case word == ".wait" && err == nil:
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

// moveNow asks for the answer, of engines that can be asked.
func (a *waiter) moveNow() {
	able := false
	for _, e := range a.engines() {
		if e.has(pluginclient.AbilityTimeout) {
			able = true
			continue
		}
		ways := append(a.stopWords(e, pluginclient.GiveUp), "Ctrl-C")
		a.say("%s has announced no %s, so it is left to think; %s stops it", e.name, pluginclient.AbilityTimeout, strings.Join(ways, " or "))
	}
	switch {
	case !able:
	case a.wait.moveNow != nil:
		a.wait.moveNow()
	default:
		a.cancel(engine.ErrMoveNow)
	}
}

func (a *waiter) handleInterrupt() {
	a.halted = true
	now := time.Now()
	switch told := context.Cause(a.ctx); {
	case !a.lastInterrupt.IsZero() && now.Sub(a.lastInterrupt) < killWindow:
		a.kill()
	case !a.host.Interactive || told == nil:
		a.cancel(a.stopCause())
	default:
		a.say("%s has been told to stop; Ctrl-C again within a second kills it", a.names())
	}
	a.lastInterrupt = now
}

// engines are those that are waited for.
func (a *waiter) engines() []*attached {
	if a.wait.script != nil {
		return a.wait.script.engines()
	}
	return a.wait.engines
}

// stopCause is why work ends that Ctrl-C stops.
func (a *waiter) stopCause() error {
	if a.host.Interactive {
		return errAborted
	}
	return ErrInterrupted
}

func (a *waiter) kill() {
	if a.killed = true; a.killedEngines == nil {
		a.killedEngines = a.engines()
		if a.wait.pending != nil {
			a.killedEngines = a.wait.pending()
		}
	}
	for _, e := range a.killedEngines {
		go e.session.Kill()
	}
}

// who is the engines' names, or that of the script.
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

func (a *waiter) draw() {
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

// rest waits until engines that were told to stop are idle. The error is that of one
// that was lost on the way.
func (a *waiter) awaitIdle() error {
	cause := context.Cause(a.ctx)
	if !errors.Is(cause, errAborted) && !errors.Is(cause, ErrInterrupted) {
		return nil
	}
	var lost error
	for _, e := range a.engines() {
		if err := e.session.Idle(context.WithoutCancel(a.ctx)); err != nil {
			a.lostEngines = append(a.lostEngines, e)
			lost = errors.Join(lost, err)
		}
	}
	return lost
}

// end finishes a .wait, and brings back engines that have been killed, or that did not
// obey.
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
	gone, how := a.lostEngines, "did not stop"
	switch {
	case a.killed && !a.host.Interactive:
		return ErrInterrupted
	case a.killed:
		gone, how = a.killedEngines, "was killed"
		if len(gone) == 0 {
			return err // a script that used none
		}
		err = errKilled
	case !disobeyed:
		return err
	}
	var failed error
	for _, e := range gone {
		if restarted := a.restart(ctx, e); restarted != nil {
			failed = errors.Join(failed, restarted)
			continue
		}
		a.say("%s %s and was started again at the same position", e.name, how)
	}
	if failed != nil {
		a.Shell.reportError(failed)
	}
	return reportedError{err}
}
