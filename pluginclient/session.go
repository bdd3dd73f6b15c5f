// Package pluginclient is what hosts of engines share, whatever protocol they
// speak: the [Session] that everything above talks to, the engine's process and
// streams, deadlines, the trace of the conversation, and errors that tell what went
// wrong with whom.
//
// The layers, from the operating system up:
//
//   - A [Starter] starts an engine and answers its [Streams]: a [Command]'s process,
//     or a function on an in-memory pipe ([Pipe]). Starting again is how a crashed
//     engine comes back.
//   - A [Conn] turns Streams into lines. It always drains the engine, it bounds what
//     it holds, every wait on it has a deadline, and every line passes the [Trace].
//   - A protocol package (qhplugin, ...) speaks over a Conn and makes a Session of it. Its other
//     end, the server, is built on package serving.
//
// An engine is never trusted. One that hangs, floods, prints half a line, dies or
// ignores the order to quit costs an [Error], and never a hang, a panic, a leaked
// process or a leaked goroutine. Nor does one outlive this process, killed though it may be,
// or what it has itself started: see supervisor_linux.go, watchdog_group.go and the Job objects of
// process_windows.go.
//
// This package imports none of its children.
package pluginclient

import (
	"context"
	"time"

	"qhsh/engine"
)

// A Session is a conversation with an engine: a Searcher that also holds what the
// conversation has agreed on. Search may be called from several goroutines; one
// search runs at a time.
type Session interface {
	engine.Searcher
	// Info is what the engine says of itself.
	Info() Info
	// Level is the ID of the engine's current level, if it is known. A search without any
	// limit is at this one; [BoundsOf] tells what it means beside other limits.
	Level() (id int, known bool)
	// SetLevel sets the current level.
	SetLevel(ctx context.Context, id int) error
	// Position is where the conversation stands.
	Position() engine.Position
	// Raw sends a line as it is, further lines after line feeds, and answers the
	// engine's lines in reply. It follows what the exchange does to the position and
	// the level. A line that makes the engine think is sent even if ctx has ended before;
	// the engine is then told to stop. An answer that came all the same is returned with
	// the cause. An engine that does not run is not started: that is ErrNotRunning.
	Raw(ctx context.Context, line string) ([]string, error)
	// Trace is the conversation so far.
	Trace() *Trace
	// Restart ends the engine, starts it again and brings it back to the position.
	Restart(ctx context.Context) error
	// State is how the engine is, as far as is known. It does not wait for anything.
	State() State
	// Idle waits until the engine is at rest: a call that was given up may still be bringing it
	// there. The error says that the engine was lost on the way, or is that of ctx.
	Idle(ctx context.Context) error
	// Kill ends the engine at once, whatever it is doing. A call under way fails, and the next
	// search or Restart starts the engine again.
	Kill()
	// Close ends the engine, politely first. It may be called twice.
	Close() error
}

// Info is what an engine says of itself.
type Info struct {
	Protocol string         // with its version, such as "QHPLUGIN V1.3"
	Name     string         // short, for a person
	Levels   []engine.Level // weakest first; none if it has none
	Text     []string       // free lines for a person
}

// Deadlines bound every wait for an engine.
type Deadlines struct {
	Start time.Duration // from starting the process to its first answer
	Reply time.Duration // for the answer to an ordinary command
	Think time.Duration // for an answer that needs thinking and has no time limit of its own
	Late  time.Duration // beyond the time limit of a search that has one
	Abort time.Duration // to become idle after being told to stop
	Quit  time.Duration // to exit after being told to quit
}

// DefaultDeadlines suit every engine known: one needs 8 s to start.
func DefaultDeadlines() Deadlines {
	return Deadlines{
		Start: 30 * time.Second,
		Reply: 5 * time.Second,
		Think: 5 * time.Minute,
		Late:  3 * time.Second,
		Abort: 2 * time.Second,
		Quit:  time.Second,
	}
}

// orDefault is d with the default in place of every zero.
func (d Deadlines) orDefault() Deadlines {
	def := DefaultDeadlines()
	for _, f := range []struct{ have, def *time.Duration }{
		{&d.Start, &def.Start},
		{&d.Reply, &def.Reply},
		{&d.Think, &def.Think},
		{&d.Late, &def.Late},
		{&d.Abort, &def.Abort},
		{&d.Quit, &def.Quit},
	} {
		if *f.have == 0 {
			*f.have = *f.def
		}
	}
	return d
}
