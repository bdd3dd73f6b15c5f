package pluginclient

import (
	"context"

	"qhsh/engine"
)

// A Conversation implements the methods of a [Session] that are the same for all protocols. A
// client embeds it and keeps its [Link] in a private field. Its methods may be called at any time,
// also during a search.
type Conversation struct{ link *Link }

// Trace returns the trace of the conversation.
func (c Conversation) Trace() *Trace { return c.link.Trace }

// Info returns what the engine says about itself.
func (c Conversation) Info() Info { return c.link.Info() }

// Position returns the conversation's current position.
func (c Conversation) Position() engine.Position {
	c.link.mu.Lock()
	defer c.link.mu.Unlock()
	return c.link.position
}

// Idle waits until the engine is idle: an abandoned call may still be stopping its search. It
// returns an error if the engine was lost meanwhile, or the cause of ctx.
func (c Conversation) Idle(ctx context.Context) error { return c.link.Idle(ctx) }

// Kill kills the engine's process group. A call in progress fails, and the next typed call or
// Restart starts the engine again.
func (c Conversation) Kill() {
	if conn := c.link.latest.Load(); conn != nil {
		conn.Kill()
	}
}

// State returns the engine's state, as far as is known.
func (c Conversation) State() State {
	l := c.link
	if l.Lifetime.Err() != nil {
		return State{Status: StatusEnded}
	}
	l.mu.Lock()
	state := l.state
	l.mu.Unlock()
	if conn := l.latest.Load(); state.Status == StatusRunning && conn != nil && !conn.Alive() {
		return State{Status: StatusLost, Err: &Error{Engine: l.Name(), Err: conn.lines.failure()}}
	}
	return state
}

// Restart ends the engine, starts it again and restores the position.
func (c Conversation) Restart(ctx context.Context) error {
	return c.link.Do(ctx, func() error {
		c.link.opts.End()
		if err := c.link.Start(); err != nil || c.link.opts.Restore == nil {
			return err
		}
		return c.link.opts.Restore()
	})
}

// Close ends the conversation. It abandons a search in progress, tells the engine to quit, and
// kills its process group if it does not exit in time.
func (c Conversation) Close() error {
	c.link.Turn.Close(c.link.Quit)
	return nil
}

type searchStartedKey struct{}

// WithSearchStarted returns a context for a call that starts a search. asked is called as soon
// as the search command has been sent. From then on Raw can send further commands, such as stop.
func WithSearchStarted(ctx context.Context, asked func()) context.Context {
	return context.WithValue(ctx, searchStartedKey{}, asked)
}

// SearchStarted calls the function given to WithSearchStarted, if any.
func SearchStarted(ctx context.Context) {
	if asked, ok := ctx.Value(searchStartedKey{}).(func()); ok {
		asked()
	}
}
