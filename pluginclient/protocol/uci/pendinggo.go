package uci

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"qhsh/engine"
	"qhsh/pluginclient"
)

// overtime is how far an engine that was told the time limit may exceed it before the client sends
// "stop".
const overtime = 250 * time.Millisecond

// Reasons to end a wait for the best move, besides the cause of the caller's context.
var (
	errLimitReached = errors.New("a limit is reached")
	errPonderHit    = errors.New("the expected reply was played")
)

// ponderHit tells a pondering engine that the expected reply was played.
const ponderHit = "ponderhit"

// pendingGo is the exchange of one "go": the command, the lines that the engine sends, and the one that
// ends the search.
type pendingGo struct {
	c               *Client
	q               SearchRequest
	cmd             GoCommand
	hit             <-chan struct{}       // if not nil, the engine ponders
	info            *searchInfo           // nil: a raw "go", whose lines are not parsed
	onLine          func(line string)     // called with every line; may be nil
	onLines         func(l []engine.Line) // called with every list; may be nil
	stop            []string              // commands that end the search early
	until           func(string) bool     // reports whether a line ends the search; nil: a best move does
	best            BestMove              // the line that has ended the search
	refused         string                // what the engine has rejected
	unexpected      string                // the last unexpected line
	unexpectedLines int                   // the number of unexpected lines
	stopping        bool                  // the engine was stopped, so nothing else ends the wait
	judged          []string              // what first has been called with
}

// run sends the "go" and waits for the best move.
func (v *pendingGo) run(ctx context.Context) error {
	c := v.c
	if err := c.send(append(v.cmd.Setup, v.cmd.Line)...); err != nil {
		return err
	}
	c.busy, c.endedByItself, c.stopped = true, false, false
	ctx, fail := context.WithCancelCause(ctx)
	defer fail(nil)
	c.setInterrupt(func(lines []string) {
		if err := c.link.Send(pluginclient.Sent, lines...); err != nil {
			fail(err)
		}
	})
	defer c.setInterrupt(nil)
	pluginclient.SearchStarted(ctx)
	if v.hit != nil {
		switch err := v.ponder(ctx); {
		case err == nil: // held back until the hit
			ctx, cancel := c.link.Bind(ctx)
			defer cancel()
			return pluginclient.AwaitHit(ctx, v.hit)
		case !errors.Is(err, errPonderHit):
			return v.stopSearch(err)
		}
		if _, ok := c.ponderOption(); ok {
			if err := v.send(pluginclient.Sent, ponderHit); err != nil {
				return err
			}
		}
	}
	// Running out of time is not an error of the engine if it was told to search without limits.
	limit, cause := c.link.Deadlines.Think, pluginclient.ErrDeadline
	switch {
	case v.info == nil:
		limit = 0 // the user stops a raw "go"
	case v.q.Time > 0 && v.cmd.SentTime:
		limit, cause = v.q.Time+overtime, pluginclient.ErrTimeUp
	case v.q.Time > 0:
		limit, cause = v.q.Time, pluginclient.ErrTimeUp
	case v.q.Nodes == 0 && v.q.Depth == 0:
		cause = pluginclient.ErrTimeUp
	}
	err := v.await(ctx, limit, cause)
	c.endedByItself = err == nil && v.info != nil // after a raw "go" the next command is unknown
	return v.stopSearch(err)
}

// ponder waits for the best move up to the hit, which ends it with errPonderHit.
func (v *pendingGo) ponder(ctx context.Context) error {
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	select {
	case <-v.hit:
		end(errPonderHit)
	default:
		go func() {
			select {
			case <-v.hit:
				end(errPonderHit)
			case <-ctx.Done():
			}
		}()
	}
	return v.await(ctx, 0, nil)
}

// send sends lines during the search, one caller at a time.
func (v *pendingGo) send(dir pluginclient.Direction, lines ...string) error {
	v.c.sending.Lock()
	defer v.c.sending.Unlock()
	return v.c.link.Send(dir, lines...)
}

// await reads lines until the one that ends the search, or for limit, after which it returns cause;
// 0 is no limit. It also ends with the session, unless the search is already being stopped.
func (v *pendingGo) await(ctx context.Context, limit time.Duration, cause error) error {
	if !v.stopping {
		bound, unbind := v.c.link.Bind(ctx)
		defer unbind()
		ctx = bound
	}
	if limit > 0 {
		timed, stop := context.WithTimeoutCause(ctx, limit, cause)
		defer stop()
		ctx = timed
	}
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
	case what != "" && v.first("info.form"):
		v.c.judge("info.form", pluginclient.Fault, "", "expected %s: %q", what, pluginclient.Excerpt(line))
	case info.MultiPV > max(v.c.multiPV, 1) && v.first("info.multipv"):
		v.c.judge("info.multipv", pluginclient.Fault, "", "multipv %d, and MultiPV is %d", info.MultiPV, max(v.c.multiPV, 1))
	}
	if info.Warning != "" {
		v.c.link.Warn(v.c.link.Name() + " " + info.Warning)
		if !v.c.noPing && v.first("warning") { // it may be all that the engine says
			_ = v.send(pluginclient.Pinged, v.c.protocol.Ping())
		}
	}
	t := v.info
	if t == nil {
		return false
	}
	v.refused = info.Rejected
	if info.IllegalMove != "" && !t.flipRanks() {
		v.refused = fmt.Sprintf("the engine rejects %s as illegal", pluginclient.Excerpt(info.IllegalMove))
		v.c.judge("move.refused", pluginclient.Fault, t.pos.String(), "%s is legal, and answered with %q", pluginclient.Excerpt(info.IllegalMove), pluginclient.Excerpt(line))
	}
	if t.add(info) && v.onLines != nil {
		v.onLines(t.lines())
	}
	return v.q.Nodes > 0 && !v.cmd.SentNodes && t.nodes >= v.q.Nodes ||
		v.q.Depth > 0 && v.cmd.EnforceDepth && info.Depth > v.q.Depth ||
		t.ranksFlipped && info.IllegalMove != ""
}

// first reports whether it is called with a rule for the first time in this search.
func (v *pendingGo) first(rule string) bool {
	if slices.Contains(v.judged, rule) {
		return false
	}
	v.judged = append(v.judged, rule)
	return true
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
	stopErr := v.send(pluginclient.Sent, v.stop...)
	if stopErr == nil {
		// Neither the caller nor the session can interrupt this: the engine must become idle.
		stopErr = v.c.explainTimeout(v.await(context.Background(), limit, pluginclient.ErrDeadline), v.unexpected)
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

// setInterrupt sets the function that sends lines of Raw to a searching engine. It is called with sending
// locked.
func (c *Client) setInterrupt(say func([]string)) {
	c.sending.Lock()
	defer c.sending.Unlock()
	c.interrupt = say
}
