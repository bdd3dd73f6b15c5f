package pluginclient

import (
	"context"

	"qhsh/engine"
)

// A Conversation is what the clients of all protocols have in common for their users: the
// methods of a [Session] that are the same in each. A client embeds it, and holds the [Link]
// behind it in a field of its own. Its methods may be called at any time, whatever the engine
// is doing.
type Conversation struct{ link *Link }

// Trace is the conversation so far.
func (c Conversation) Trace() *Trace { return c.link.Trace }

// Position is where the conversation stands.
func (c Conversation) Position() engine.Position {
	c.link.mu.Lock()
	defer c.link.mu.Unlock()
	return c.link.position
}

// Idle waits until the engine is at rest: a call that was given up may still be bringing it
// there. The error says that the engine was lost on the way, or is that of ctx.
func (c Conversation) Idle(ctx context.Context) error { return c.link.Idle(ctx) }

// Kill ends the engine's process group at once, whatever it is doing. A call under way
// fails, and the next typed call or Restart starts the engine again.
func (c Conversation) Kill() {
	if conn := c.link.latest.Load(); conn != nil {
		conn.Kill()
	}
}

// State is how the engine is, as far as is known.
func (c Conversation) State() State { return c.link.currentState() }

// Close ends the conversation: a search under way is given up, then the engine is told to
// quit, then, if it has not ended within its time, its process group is killed.
func (c Conversation) Close() error {
	c.link.Turn.Close(c.link.Quit)
	return nil
}
