package uci

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"qhsh/engine"
	"qhsh/pluginclient"
)

// overtime is how far an engine that was told the time limit may exceed it before the client sends
// "stop".
const overtime = 250 * time.Millisecond

// Reasons to interrupt a wait for the best move, besides the cause of the caller's context.
var (
	errLimitReached = errors.New("a limit is reached")
	errInterrupt    = errors.New("lines to send")
	errPonderHit    = errors.New("the expected reply was played")
)

// ponderHit tells a pondering engine that the expected reply was played.
const ponderHit = "ponderhit"

// pendingGo waits for the best move of one "go".
type pendingGo struct {
	c               *Client
	ctx             context.Context
	q               SearchRequest
	cmd             GoCommand
	hit             <-chan struct{}         // if not nil, the engine ponders
	info            *searchInfo             // nil: a raw "go", whose lines are not parsed
	onLine          func(line string)       // called with every line; may be nil
	onLines         func(l []engine.Line)   // called with every list; may be nil
	stop            []string                // commands that end the search early
	until           func(string) bool       // reports whether a line ends the search; nil: a best move does
	best            BestMove                // the line that has ended the search
	refused         string                  // what the engine has rejected
	unexpected      string                  // the last unexpected line
	unexpectedLines int                     // the number of unexpected lines
	stopping        bool                    // the engine was stopped, so nothing else ends the wait
	judged          map[string]bool         // what first has been called with
	mu              sync.Mutex              // guards what follows
	cancelWait      context.CancelCauseFunc // ends the wait
	pondering       bool                    // the hit is not yet sent
	interrupts      []string
}

// run sends the "go" and waits for the best move.
func (v *pendingGo) run() error {
	if err := v.c.send(pluginclient.Sent, append(v.cmd.Setup, v.cmd.Line)...); err != nil {
		return err
	}
	v.c.busy, v.c.endedByItself, v.c.stopped = true, false, false
	v.c.setInterrupt(v.sendInterrupt)
	defer v.c.setInterrupt(nil)
	pluginclient.SearchStarted(v.ctx)
	if v.hit != nil {
		if over, err := v.ponder(); over || err != nil {
			return err
		}
	}
	err := v.awaitAnswer(v.ctx, v.limit())
	v.c.endedByItself = err == nil && v.info != nil // after a raw "go" the next command is unknown
	return v.stopSearch(err)
}

// deadline is the time at which a wait ends, and the cause.
type deadline struct {
	at    time.Time // zero: never
	cause error
}

func after(limit time.Duration, cause error) deadline { return deadline{time.Now().Add(limit), cause} }

// limit returns how long the engine may search. Running out of time is not an error of the engine if
// it was told to search without limits.
func (v *pendingGo) limit() deadline {
	switch q := v.q; {
	case q.Time > 0 && v.cmd.SentTime:
		return after(q.Time+overtime, pluginclient.ErrTimeUp)
	case q.Time > 0:
		return after(q.Time, pluginclient.ErrTimeUp)
	case q.Nodes == 0 && q.Depth == 0 && v.info != nil:
		return after(v.c.link.Deadlines.Think, pluginclient.ErrTimeUp)
	case v.info == nil:
		return deadline{} // the user stops a raw "go"
	}
	return after(v.c.link.Deadlines.Think, pluginclient.ErrDeadline)
}

// ponder waits for the ponder hit. A best move that comes earlier is held back until then.
func (v *pendingGo) ponder() (over bool, err error) {
	gone := make(chan struct{})
	defer close(gone)
	v.setPondering(true)
	go func() {
		select {
		case <-v.hit:
			v.interruptWait(errPonderHit)
		case <-gone:
		}
	}()
	err = v.awaitAnswer(v.ctx, deadline{})
	v.setPondering(false)
	switch {
	case err == nil:
		ctx, cancel := v.c.link.Bind(v.ctx)
		defer cancel()
		return true, pluginclient.AwaitHit(ctx, v.hit)
	case errors.Is(err, errPonderHit):
		return false, v.sendPonderHit()
	default:
		return true, v.stopSearch(err)
	}
}

func (v *pendingGo) sendPonderHit() error {
	if _, ok := v.c.ponderOption(); !ok {
		return nil
	}
	return v.c.link.Send(pluginclient.Sent, ponderHit)
}

// awaitAnswer reads until the best move arrives, the deadline passes, or ctx ends.
func (v *pendingGo) awaitAnswer(ctx context.Context, b deadline) error {
	for {
		wait, cancel := v.wait(ctx, b)
		err := v.read(wait)
		cancel()
		if !errors.Is(err, errInterrupt) {
			return err
		}
		if err := v.flushInterrupts(); err != nil {
			return err
		}
	}
}

// wait returns the context of a wait. It also ends with the session, unless the search is already
// being stopped.
func (v *pendingGo) wait(ctx context.Context, b deadline) (context.Context, context.CancelFunc) {
	wait, cancel := context.WithCancelCause(ctx)
	stop := func() {}
	timed := wait
	if !b.at.IsZero() {
		timed, stop = context.WithDeadlineCause(wait, b.at, b.cause)
	}
	unhook := func() bool { return true }
	if !v.stopping {
		unhook = context.AfterFunc(v.c.link.Lifetime, func() { cancel(context.Cause(v.c.link.Lifetime)) })
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	v.cancelWait = cancel
	switch {
	case len(v.interrupts) > 0:
		cancel(errInterrupt)
	case v.pondering && isClosed(v.hit):
		cancel(errPonderHit)
	}
	return timed, func() {
		unhook()
		stop()
		cancel(nil)
	}
}

func isClosed(hit <-chan struct{}) bool {
	select {
	case <-hit:
		return true
	default:
		return false
	}
}

func (v *pendingGo) setPondering(on bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.pondering = on
}

// read reads lines until the one that ends the search.
func (v *pendingGo) read(ctx context.Context) error {
	for v.unexpectedLines < maxUnexpected {
		line, err := v.c.receive(ctx)
		if err != nil {
			return err
		}
		if v.onLine != nil {
			v.onLine(line)
		}
		if v.stopping { // then an engine has little left to say, of any kind
			v.unexpectedLines++
		}
		switch best, ok := v.c.protocol.ParseBestMove(line); {
		case v.until != nil:
			if v.until(line) {
				return nil
			}
		case ok:
			v.best = best
			return nil
		case v.handleLine(line) && !v.stopping:
			return errLimitReached
		case v.refused != "" && !v.stopping:
			return fmt.Errorf("%w: %s", pluginclient.ErrRefused, v.refused)
		}
	}
	return fmt.Errorf("%w: %d unexpected lines", pluginclient.ErrFlood, v.unexpectedLines)
}

// handleLine processes a line that does not end the search. It reports whether a limit that the
// engine was not told is reached.
func (v *pendingGo) handleLine(line string) (enough bool) {
	info, ok := v.c.protocol.ParseInfo(line, v.c.opts.Mate)
	if !ok {
		v.unexpectedLines++
		v.unexpected = line
		return false
	}
	switch what := info.Defect(v.c.protocol.PlainScores); {
	case what != "" && v.first(infoForm):
		v.c.judge(infoForm, pluginclient.Fault, "", "expected %s: %q", what, pluginclient.Excerpt(line))
	case info.MultiPV > max(v.c.multiPV, 1) && v.first(infoMultiPV):
		v.c.judge(infoMultiPV, pluginclient.Fault, "", "multipv %d, and MultiPV is %d", info.MultiPV, max(v.c.multiPV, 1))
	}
	if info.Warning != "" {
		v.c.link.Warn(v.c.name() + " " + info.Warning)
		if !v.c.noPing && v.first("warning") { // it may be all that the engine says
			_ = v.c.link.Send(pluginclient.Pinged, v.c.protocol.Ping())
		}
	}
	t := v.info
	if t == nil {
		return false
	}
	v.refused = info.Rejected
	if info.IllegalMove != "" && !t.flipRanks() {
		v.refused = fmt.Sprintf("the engine rejects %s as illegal", pluginclient.Excerpt(info.IllegalMove))
		v.c.judge(moveRefused, pluginclient.Fault, t.pos.String(), "%s is legal, and answered with %q", pluginclient.Excerpt(info.IllegalMove), pluginclient.Excerpt(line))
	}
	if t.add(info) && v.onLines != nil {
		v.onLines(t.lines())
	}
	return v.q.Nodes > 0 && !v.cmd.SentNodes && t.nodes >= v.q.Nodes ||
		v.q.Depth > 0 && v.cmd.EnforceDepth && info.Depth > v.q.Depth ||
		t.ranksFlipped && info.IllegalMove != ""
}

// stopSearch ends a search that has no best move yet because of err. It returns nil if the best move
// then arrives and is wanted.
func (v *pendingGo) stopSearch(err error) error {
	limit := v.c.link.Deadlines.Abort
	late := errors.Is(err, pluginclient.ErrDeadline)
	wanted := errors.Is(err, pluginclient.ErrTimeUp) || errors.Is(err, errLimitReached) || errors.Is(err, engine.ErrMoveNow)
	switch {
	case err == nil:
		return nil
	case wanted:
		limit = v.c.link.Deadlines.Late
	case late:
		err = v.c.explainTimeout(err, v.unexpected)
	case pluginclient.Lost(err) && !errors.Is(err, pluginclient.ErrClosed):
		return err
	}
	v.stopping, v.c.stopped = true, true
	if v.stop == nil {
		v.stop = []string{v.c.protocol.Stop}
	}
	stopErr := v.c.link.Send(pluginclient.Sent, v.stop...)
	if stopErr == nil {
		// Neither the caller nor the session can interrupt this: the engine must become idle.
		stopErr = v.c.explainTimeout(v.awaitAnswer(context.Background(), after(limit, pluginclient.ErrDeadline)), v.unexpected)
	}
	switch {
	case wanted:
		return stopErr
	case stopErr != nil:
		return fmt.Errorf("%w, and after %s: %w", err, v.stop[0], stopErr)
	case late: // the engine has obeyed, so it is not lost
		return fmt.Errorf("%w: %v", pluginclient.ErrTimedOut, err)
	}
	return err
}

// interruptWait ends the current wait with the cause why.
func (v *pendingGo) interruptWait(why error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.cancelWait != nil && (v.pondering || !errors.Is(why, errPonderHit)) {
		v.cancelWait(why)
	}
}

// sendInterrupt sends lines to the engine during the search.
func (v *pendingGo) sendInterrupt(lines []string) {
	v.mu.Lock()
	v.interrupts = append(v.interrupts, lines...)
	v.mu.Unlock()
	v.interruptWait(errInterrupt)
}

func (v *pendingGo) flushInterrupts() error {
	v.mu.Lock()
	lines := v.interrupts
	v.interrupts = nil
	v.mu.Unlock()
	if len(lines) == 0 {
		return nil
	}
	return v.c.link.Send(pluginclient.Sent, lines...)
}

func (c *Client) setInterrupt(say func([]string)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.interrupt = say
}
