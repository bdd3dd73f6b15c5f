package pluginclient

import (
	"cmp"
	"context"
	"time"
)

// Deadlines limit every wait for an engine.
type Deadlines struct {
	Start time.Duration // from starting the process to its first reply
	Reply time.Duration // for the reply to an ordinary command
	Think time.Duration // for a search without a time limit
	Late  time.Duration // beyond the time limit of a search that has one
	Abort time.Duration // to become idle after being told to stop
	Quit  time.Duration // to exit after being told to quit
}

// NoDeadline is longer than anybody waits. Sums of it do not overflow.
const NoDeadline = 50 * 365 * 24 * time.Hour

// A DeadlineField is one of the Deadlines under the name by which a user sets it.
type DeadlineField struct {
	Name    string
	For     string // what is waited for, to follow "wait TIME"
	Value   *time.Duration
	Default time.Duration
}

// Fields returns all fields of d. Their defaults suit all known engines: one needs 8 s to start.
func (d *Deadlines) Fields() []DeadlineField {
	return []DeadlineField{
		{"start", "for an engine's first answer", &d.Start, 30 * time.Second},
		{"reply", "for the answer to an ordinary command", &d.Reply, 5 * time.Second},
		{"think", "for moves and hints where there is no -timeout", &d.Think, 5 * time.Minute},
		{"late", "beyond -timeout for the answer", &d.Late, 3 * time.Second},
		{"abort", "for an engine that was told to stop", &d.Abort, 2 * time.Second},
		{"quit", "for an engine that was told to quit", &d.Quit, time.Second},
	}
}

// OrDefault returns d with zero fields replaced by the defaults.
func (d Deadlines) OrDefault() Deadlines {
	for _, f := range d.Fields() {
		*f.Value = cmp.Or(*f.Value, f.Default)
	}
	return d
}

// DefaultDeadlines returns the defaults.
func DefaultDeadlines() Deadlines { return Deadlines{}.OrDefault() }

// SetDeadlines calls change with the Deadlines while no call is in progress. It waits for
// the call that is, or returns the cause of ctx.
func (c Conversation) SetDeadlines(ctx context.Context, change func(*Deadlines)) error {
	if err := c.link.Acquire(ctx); err != nil {
		return err
	}
	defer c.link.Release()
	change(&c.link.Deadlines)
	return nil
}

// SetDeadlines changes the Deadlines of s and, for a Bridge, those of the engine behind it. A
// Session that waits for no engine is left as it is.
func SetDeadlines(ctx context.Context, s Session, change func(*Deadlines)) error {
	if setter, ok := As[interface {
		SetDeadlines(ctx context.Context, change func(*Deadlines)) error
	}](s); ok {
		if err := setter.SetDeadlines(ctx, change); err != nil {
			return err
		}
	}
	if b, ok := As[Bridge](s); ok {
		return SetDeadlines(ctx, b.Native(), change)
	}
	return nil
}
